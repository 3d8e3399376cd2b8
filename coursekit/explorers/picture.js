// Draws the newest frame of a matplotlib figure, and shows the sentence that says what it shows.
function render({ model, el }) {
  el.classList.add("ck-explorer");
  const stage = document.createElement("div");
  stage.className = "ck-stage";
  stage.tabIndex = 0;
  stage.setAttribute("role", "application");
  stage.setAttribute("aria-description", model.get("key_help"));
  const picture = document.createElement("canvas");
  picture.className = "ck-picture";
  picture.setAttribute("role", "img");
  const fit = () => {
    stage.classList.toggle("ck-narrow", model.get("narrow"));
    const [width, height] = [model.get("width"), model.get("height")];
    picture.style.setProperty("--width", `${width}px`);
    picture.style.aspectRatio = `${width} / ${height}`;
    for (const one of [stage, whole()]) one?.style.setProperty("--shape", width / height); // in a vote it has no card
    whole()?.style.setProperty("--width", model.get("narrow") ? "450px" : `${width}px`);
    whole()?.classList.toggle("ck-slim", model.get("narrow"));
  };
  const whole = () => el.closest(".ck-whole");
  fit();
  const sentence = document.createElement("p");
  sentence.className = "ck-sentence";
  sentence.ariaHidden = "true"; // it is heard where it is read out
  const spoken = document.createElement("p");
  spoken.className = "ck-spoken";
  spoken.setAttribute("aria-live", "polite");
  stage.append(picture);
  el.append(spoken, stage, sentence);

  // Dark where the words around it are light. A frame is drawn unless a newer one already is.
  const under = document.createElement("canvas");
  const letters = new Map();
  let [ground, frame, shown, came, seen, drawn, lit] = [null, null, null, 0, 0, "", ""];
  const outline = (glyph) => {
    if (!letters.has(glyph)) letters.set(glyph, new Path2D(model.get("ground").glyphs[glyph]));
    return letters.get(glyph);
  };
  const paint = (sharper = 1) => {
    if (!frame || !picture.clientWidth) return;
    const [red, green, blue] = getComputedStyle(el).color.match(/[\d.]+/g).map(Number);
    const theme = sharper === 1 && red + green + blue > 382 ? 1 : 0; // it is sharper where it is printed, and paper is white
    whole()?.classList.toggle("ck-dark", theme === 1);
    const width = Math.round(picture.clientWidth * sharper * (window.devicePixelRatio || 1));
    const scale = width / ground.size[0], height = Math.round(scale * ground.size[1]);
    const shines = [ground, frame].some(({ groups }) => groups[lit]) ? lit : "";
    const on = (canvas, list) => {
      const c = canvas.getContext("2d");
      c.setTransform(scale, 0, 0, scale, 0, 0);
      replay(c, list, outline, scale, theme, shines);
    };
    if (drawn !== (drawn = `${frame.ground} ${width} ${theme} ${shines}`)) {
      [under.width, under.height] = [width, height];
      on(under, ground);
    }
    if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
    const c = picture.getContext("2d");
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, width, height);
    c.drawImage(under, 0, 0);
    on(picture, shown);
    picture.dataset.drawn = (Number(picture.dataset.drawn) || 0) + 1;
    if (picture.dataset.drawn === "1") inView();
  };
  // Whoever has just run this cell looks at its picture, though JupyterLab has gone on to the next cell. An outcome is
  // brought into view by its prediction.
  const inView = () => {
    const cell = !el.closest(".ck-prediction") && el.closest(".jp-Cell");
    const next = cell && [cell, cell.nextElementSibling].find((one) => one?.classList.contains("jp-mod-active"));
    if (next) (whole() ?? el).scrollIntoView({ block: "nearest" });
  };
  const show = async () => {
    const number = ++came, [below, above] = [model.get("ground"), model.get("frame")];
    if (!above.list) return;
    const lists = [below === ground?.from ? ground : await unpacked(below, ground), await unpacked(above, frame)];
    if (number < seen) return;
    const unseen = document.hidden || getComputedStyle(el).visibility === "hidden";
    const calm = unseen || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const glides = above.glides && above.ground === frame?.ground && !calm;
    [ground, frame, seen] = [...lists, number];
    ground.from = below;
    frame.ground = above.ground;
    frames.show(frame, glides);
  };
  const frames = glider((list) => {
    shown = list;
    paint();
  });
  // Read out when it has stood for a while: a screen reader would stammer at every frame of a drag.
  let pause = null;
  const say = () => {
    const parts = model.get("sentence").replace(/ ([=≤<>]) /g, "\u00a0$1\u00a0").split("**"); // every other one is bold
    sentence.replaceChildren(...parts.map((text, k) => (
      k % 2 ? Object.assign(document.createElement("b"), { textContent: text }) : text)));
    clearTimeout(pause);
    pause = setTimeout(() => { spoken.textContent = parts.join(""); }, 600);
  };
  // Of several pictures that show the same, each has a number.
  const call = () => {
    const same = [...document.querySelectorAll(".ck-stage")].filter((one) => one.dataset.label === model.get("label"));
    stage.dataset.label = model.get("label");
    picture.ariaLabel = same.length ? `${model.get("label")} (${same.length + 1})` : model.get("label");
    stage.ariaLabel = `${picture.ariaLabel}: keys`;
  };
  model.on("change:frame", show);
  model.on("change:width change:height", fit);
  model.on("change:sentence", say);
  model.on("change:label", call);
  say();
  call();
  show();
  const [again, finely] = [() => paint(), () => paint(3)];
  const themed = new MutationObserver(again); // JupyterLab's theme is an attribute
  const ended = new AbortController(), { signal } = ended;
  themed.observe(document.body, { attributes: true });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again, { signal });
  window.addEventListener("beforeprint", finely, { signal });
  window.addEventListener("afterprint", again, { signal });

  // A stroke is a press, the way of the pointer, and a release.
  const [tell, hush] = newest(model);
  let stroke = null;
  const at = (event) => {
    const box = picture.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const send = (event, done) => {
    const moved = stroke.moved || Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) > 3;
    stroke = { ...stroke, moved, at: moved ? at(event).map((x, k) => x + stroke.off[k]) : stroke.start, done };
    const { id, start, grip } = stroke;
    tell("stroke", { id, start, at: stroke.at, done, grip });
  };
  // What can be dragged shows it: there the pointer is a hand. A finger takes hold within 44 pixels across, of a handle or
  // of what no other is so near to; a tap chooses among those that are. Anywhere else it moves the page. What is held goes
  // as far as the pointer does.
  const finger = ({ pointerType }) => pointerType !== "mouse"; // also one of those that a touchstart brings
  const reach = (event) => (finger(event) ? 22 : 13.5) / picture.clientWidth;
  const held = (event) => {
    const tall = picture.clientHeight / picture.clientWidth;
    const away = ([x, y], [px, py]) => Math.hypot(x - px, (y - py) * tall);
    const [grips, near] = [model.get("grips"), reach(event)];
    const alone = (grip) => grips.every((other) => other === grip || away(other, grip) > 2 * near);
    const free = finger(event) ? [...model.get("handles"), ...grips.filter(alone)] : grips;
    const apart = (grip) => away(grip, at(event));
    return free.filter((grip) => apart(grip) <= near).sort((a, b) => apart(a) - apart(b))[0];
  };
  const point = (event) => {
    if (stroke && !stroke.done) return;
    picture.classList.toggle("ck-grip", Boolean(held(event)));
  };
  if (model.get("touchable")) {
    picture.classList.add("ck-touchable");
    picture.draggable = false;
    const follow = (done) => (event) => {
      if (!stroke || stroke.done || !event.isPrimary) return;
      if (stroke.held || !finger(event)) send(event, done);
      else if (Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) > 9) forget(); // no tap
      else if (done) send({ clientX: stroke.x, clientY: stroke.y }, done);
    };
    const release = () => picture.classList.remove("ck-pressed");
    const forget = () => { stroke = null; release(); };
    picture.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary) forget();
      if (!event.isPrimary || event.button !== 0) return;
      picture.setPointerCapture(event.pointerId);
      point(event);
      picture.classList.add("ck-pressed");
      const { clientX: x, clientY: y } = event, here = at(event), grip = held(event), start = grip ?? here;
      const off = start.map((at, k) => at - here[k]); // a grip on the edge of its axes is taken hold of from outside, too
      stroke = { id: Date.now(), start, off, x, y, grip: reach(event), held: grip };
      // A finger may be the first of two that move or enlarge the page: it counts when it moves or leaves.
      if (event.pointerType !== "touch") send(event, false);
    });
    picture.addEventListener("touchstart", (event) => { // or the page would scroll under the finger
      if (event.touches.length === 1 && held(event.touches[0])) event.preventDefault();
    }, { passive: false });
    picture.addEventListener("pointermove", point);
    picture.addEventListener("pointermove", follow(false));
    picture.addEventListener("pointerup", follow(true));
    picture.addEventListener("pointerup", release);
    picture.addEventListener("pointercancel", forget);
  }
  // A click brings the keys to the picture; later than the page around it, which would take the focus away.
  picture.addEventListener("click", () => stage.focus({ preventScroll: true }));

  // Keys are caught before the page's own shortcuts see them: in JupyterLab A is "new cell above", and D twice
  // deletes the cell, so the letters without a meaning here stop here too.
  const typed = (event) => {
    if (stage.getRootNode().activeElement !== stage) return;
    const control = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
    const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
    const name = control + shift + (event.key.length > 1 ? event.key : event.key.toLowerCase());
    const plain = !control && /^(.|Arrow.*|Delete|Backspace)$/.test(event.key);
    if (event.altKey || !(plain || model.get("hotkeys").includes(name))) return;
    event.stopImmediatePropagation();
    if (!model.get("hotkeys").includes(name)) return;
    event.preventDefault();
    const before = model.get("pressed");
    const number = before.length ? before[before.length - 1][0] + 1 : 1;
    tell("pressed", [...before.slice(-63), [number, name]]);
  };
  window.addEventListener("keydown", typed, { capture: true, signal });

  const download = (message, buffers) => {
    if (!message.download) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([buffers[0]]));
    link.download = message.download;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  model.on("msg:custom", download);

  // The play buttons of ipywidgets have no names for a screen reader. A drawer that opens comes into view.
  let watch = null;
  const place = () => {
    const card = whole();
    if (card) fit();
    resized.observe((card ?? el).parentElement);
    if (!card) return;
    const name = () => {
      card.querySelectorAll(".widget-play").forEach((box) => {
        box.querySelectorAll("button").forEach((button, k) => {
          button.title = button.ariaLabel = ["Play or pause", "Stop", "Repeat"][k];
        });
      });
      const more = card.querySelector(".ck-more");
      if (more && !more.querySelector("small")) more.innerHTML = more.textContent.replace(/\d+$/, "<small>$&</small>");
    };
    name();
    let open = card.classList.contains("ck-open");
    watch = new MutationObserver(() => {
      name();
      if (open === (open = card.classList.contains("ck-open")) || !open) return;
      const seen = card.matches(".ck-under") || card.clientHeight > window.innerHeight ? card.querySelector(".ck-drawer") : card;
      seen.scrollIntoView({ block: seen.clientHeight > window.innerHeight ? "start" : "nearest" });
    });
    watch.observe(card, { subtree: true, childList: true, attributeFilter: ["class"] });
  };
  const placed = requestAnimationFrame(place);

  // A page may show the picture larger than it is: sharper in quarters, so that few sizes are drawn anew.
  const sharpen = () => {
    const larger = Math.max(1, Math.floor((4 * picture.clientWidth) / model.get("width")) / 4);
    const ratio = Math.min(larger * (window.devicePixelRatio || 1), 3);
    if (ratio === model.get("ratio")) return;
    model.set("ratio", ratio);
    model.save_changes();
  };
  // On a narrow page the panels lie below one another; the gap between the limits keeps a scroll bar, which comes and
  // goes with the height of the picture, from turning it round and round.
  const fold = () => {
    const room = (whole() ?? el).parentElement?.clientWidth;
    whole()?.classList.toggle("ck-under", room < 740); // beside the drawer nobody could read the picture
    const narrow = room < (model.get("narrow") ? 630 : 590);
    if (!room || narrow === model.get("narrow")) return;
    model.set("narrow", narrow);
    model.save_changes();
  };
  const unword = words(stage, {
    send: (word) => model.send({ word }),
    light: (name) => { lit = name; paint(); },
  });
  const unwatch = watchKernel(model, el);
  const resized = new ResizeObserver(() => { fold(); sharpen(); paint(); });
  resized.observe(picture);
  return () => {
    model.off("change:frame", show);
    model.off("change:width change:height", fit);
    model.off("change:sentence", say);
    model.off("change:label", call);
    model.off("msg:custom", download);
    ended.abort();
    hush();
    frames.stop();
    clearTimeout(pause);
    cancelAnimationFrame(placed);
    unwatch();
    unword();
    watch?.disconnect();
    resized.disconnect();
    themed.disconnect();
  };
}
export default { initialize: stills, render };
