// The line over its still: a finger, a mouse or keys move it, and when Python is there, the explorer is told of it.
async function byHand(still, told) {
  const image = still.querySelector("img"), sentence = still.querySelector(".ck-sentence");
  const narrow = matchMedia(still.querySelector("source")?.media ?? "not all").matches;
  const shown = narrow ? told.narrow : told.wide, { low, box } = shown;
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const [ground, frame] = await Promise.all(
    shown.lists.map(({ list, at }) => unpacked({ list, at: bytes(at), images: {} })));
  const letters = new Map(Object.entries(told.glyphs).map(([name, shape]) => [name, new Path2D(shape)]));
  const now = { angle: told.angle, shift: told.shift, length: told.length };
  const { seen, arrow, turned, grasp } = geometry(shown, told.limits, now), first = arrow();
  let [held, moved, due, known] = [null, false, 0, ""];

  // Painted: what stays on a canvas of its own, the rest anew for each frame.
  const under = document.createElement("canvas");
  const canvas = Object.assign(document.createElement("canvas"), { className: "ck-hand" });
  function dark() {
    const [red, green, blue] = getComputedStyle(still).color.match(/[\d.]+/g).map(Number);
    return red + green + blue > 382 ? 1 : 0; // where words are light
  }
  function paint() {
    due = 0;
    if (!image.clientWidth) return; // the explorer has its place
    const { offsetLeft, offsetTop, clientWidth, clientHeight } = image;
    const width = Math.round(clientWidth * devicePixelRatio), scale = width / frame.size[0], theme = dark();
    const draw = (on, list) => {
      const context = on.getContext("2d");
      context.setTransform(scale, 0, 0, scale, 0, 0);
      replay(context, list, (glyph) => letters.get(glyph), scale, theme, "");
      context.setTransform(1, 0, 0, 1, 0, 0);
    };
    canvas.style.cssText
      = `left: ${offsetLeft}px; top: ${offsetTop}px; width: ${clientWidth}px; height: ${clientHeight}px`;
    if (known !== (known = `${width} ${theme}`)) {
      for (const one of [under, canvas]) [one.width, one.height] = [width, Math.round(scale * frame.size[1])];
      draw(under, ground);
    }
    const { wrong, list } = drawnFor({ ...now, arrow }, first, frame, shown, told, moved);
    canvas.getContext("2d").drawImage(under, 0, 0);
    draw(canvas, list);
    tell(wrong);
  }
  function tell(wrong) {
    sentence.textContent = image.alt = wrong ? told.some.join(wrong) : told.none;
    for (const [name, slider] of sliders) {
      slider.value = slider.previousElementSibling.textContent = now[name];
      slider.ariaValueText = `${now[name]}: ${wrong} of ${told.y.length} wrong`;
    }
  }
  function set(changes) {
    Object.assign(now, changes);
    moved = true;
    due ||= requestAnimationFrame(paint);
  }

  const sliders = Object.entries(told.controls).map(([name, [min, max, step]], k) => {
    const slider = Object.assign(document.createElement("input"), { type: "range", min, max, step, ariaLabel: name });
    slider.oninput = () => set({ [name]: Number(slider.value) });
    slider.onpointerdown = () => { held = {}; };
    slider.onpointerup = slider.onpointercancel = () => { held = null; };
    staying(slider, () => now[name], (value) => set({ [name]: value }));
    const label = Object.assign(document.createElement("label"), { textContent: `${name} ` });
    label.append(document.createElement("output"), slider);
    still.querySelectorAll(".ck-strip > i")[k].append(label);
    return [name, slider];
  });
  still.querySelector(".ck-strip").removeAttribute("aria-hidden");

  // A press takes hold of an end of the arrow, or, of a mouse, of the line; a finger beside both scrolls the page.
  function at({ clientX, clientY }) {
    const { left, top, width } = canvas.getBoundingClientRect(), size = frame.size[0] / width;
    const unit = (box[2] - box[0]) / (shown.high[0] - low[0]);
    const [x, y] = [(clientX - left) * size - box[0], box[3] - (clientY - top) * size];
    return { place: [low[0] + x / unit, low[1] + y / unit], unit, size };
  }
  function end(event, finger) {
    const { place, unit, size } = at(event), ends = arrow(), near = Math.max(shown.grip, finger ? 22 * size : 0);
    return ["tip", "tail"].find((name) => unit * Math.hypot(...minus(place, ends[name])) <= near);
  }
  canvas.onpointerdown = (event) => {
    const mouse = event.pointerType === "mouse", what = end(event, !mouse) ?? (mouse ? "line" : null);
    if (!what || event.button || !event.isPrimary) return;
    canvas.setPointerCapture(event.pointerId);
    held = { what, start: at(event).place, ...grasp() };
  };
  canvas.onpointermove = (event) => {
    if (!held) return canvas.classList.toggle("ck-grip", Boolean(end(event, false)));
    const { place } = at(event);
    if (held.what === "tip") set(turned(place, held));
    else set({ shift: seen(now.angle, held.from + dot(normal(now.angle), minus(place, held.start))) });
  };
  canvas.onpointerup = canvas.onpointercancel = () => { held = null; };
  canvas.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && end(event.touches[0], true)) event.preventDefault(); // or the page would scroll
  }, { passive: false });
  image.after(canvas);
  new ResizeObserver(paint).observe(image);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

  // Python is there: what was made of the line is told to the explorer before it takes the still's place.
  still.taken = async (place) => {
    const frames = () => new Promise(requestAnimationFrame);
    const ours = () => `angle=${now.angle}&shift=${now.shift}&length=${now.length}`;
    const same = () => place.querySelector(".ck-sentence").textContent === sentence.textContent;
    for (let sent = ""; moved && sent !== ours();) {
      while (held) await frames();
      window.ckWords.get(place.querySelector(".ck-stage")).send((sent = ours()));
      for (let k = 0; k < 120 && !same(); k++) await frames();
      await frames();
    }
  };
}

function begin() { // as soon as the stills are there: of this script a page may have nothing yet
  if (document.readyState === "loading") return document.addEventListener("readystatechange", begin, { once: true });
  for (const data of location.search === "?print" ? [] : document.querySelectorAll(".ck-still > .ck-moving")) {
    byHand(data.parentElement, JSON.parse(data.textContent)).catch(console.warn);
  }
}
begin();
