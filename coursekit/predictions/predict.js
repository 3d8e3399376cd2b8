// The form of a prediction: choices or a slider, a button, and then own answer and outcome. What is right comes from Python,
// and only when somebody has answered.
function render({ model, el }) {
  const make = (parent, tag, classes = "", text = "", more = {}) => {
    const node = parent.appendChild(document.createElement(tag));
    node.className = classes;
    node.textContent = text;
    // In JupyterLab, letters and arrows are commands wherever they are not suppressed on the focused element itself.
    node.dataset.lmSuppressShortcuts = "true";
    return Object.assign(node, more);
  };
  const [choices, unit, label] = ["choices", "unit", "label"].map((trait) => model.get(trait));
  const [low, high, step] = model.get("slider");
  el.classList.add("ck-predict");
  const form = make(el, "form");
  const group = make(form, "fieldset", "", "", { ariaLabel: label });
  const name = `ck-${Math.random()}`;
  let here = false; // whether a person has just pressed a button here: coming back must not move the focus

  const rows = choices.map((text) => {
    const row = make(group, "label", "ck-choice");
    const input = make(row, "input", "", "", { type: "radio", name, required: true });
    make(row, "span", "", text);
    return { row, input, note: make(row, "em") };
  });

  let range = null;
  let number = null;
  let scale = null;
  let tell = null;
  if (high > low) {
    const row = make(group, "div", "ck-number");
    const middle = low + step * Math.round((high - low) / step / 2);
    range = make(row, "input", "", "", { type: "range", min: low, max: high, step, value: middle, ariaLabel: label });
    range.value = middle; // only now is it between the ends
    const amount = make(row, "span");
    number = make(amount, "input", "", "", { ariaLabel: label });
    amount.append(` ${unit}`);
    const nearest = (x) => {
      range.value = Math.min(Math.max(x, low), high); // and the browser finds the nearest step
      return range.valueAsNumber;
    };
    const put = (x) => { nearest(x); tell(); };
    const shows = field(number, make(group, "output"), "The answer", {
      now: () => range.valueAsNumber, ends: () => [low, high], nearest, step: (by) => nearest(range.valueAsNumber + by * step), put,
    });
    tell = () => {
      shows();
      range.ariaValueText = `${range.value} ${unit}`;
    };
    number.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.defaultPrevented) return; // the first one was for what was typed
      event.preventDefault();
      commit.click();
    });
    range.addEventListener("input", tell);
    staying(range, () => range.valueAsNumber, put);
    tell();
    scale = make(group, "div", "ck-scale", "", { ariaHidden: "true" }); // the sentence below says the same
  }

  // What is drawn lies over the picture, which comes when it likes.
  let [pen, layer, drawn] = [null, null, false];
  const place = () => {
    const { box } = model.get("sketch");
    if (!layer) return lay();
    ["left", "top", "width", "height"].forEach((side, k) => { layer.style[side] = `${100 * box[k]}%`; });
  };
  const lay = () => {
    const stage = el.closest(".ck-prediction")?.querySelector(".ck-stage");
    if (layer || ended.signal.aborted) return;
    if (!stage) return setTimeout(lay, 20);
    Object.assign(stage, { tabIndex: -1, role: "group", ariaLabel: label });
    layer = make(stage, "div", "ck-layer");
    place();
    pen = drawing(layer, model.get("sketch"), () => { if (!drawn) { drawn = true; show(); } });
    pen.told(model.get("result"));
    show();
  };
  model.on("change:sketch", place);

  const line = make(form, "div", "ck-line");
  const commit = make(line, "button", "ck-commit", "That is my prediction");
  const hint = make(line, "span", "ck-hint");
  const status = make(form, "p", "ck-said", "", { tabIndex: -1, role: "status" });
  const after = make(form, "div", "ck-after");
  const again = (text, what, sure = text) => {
    const button = make(after, "button", "ck-again", text, { type: "button" });
    button.addEventListener("click", () => {
      const asked = button.textContent === sure;
      button.textContent = asked ? text : sure;
      if (asked) { here = fresh = true; model.send({ again: what }); }
    });
    button.addEventListener("blur", () => { button.textContent = text; });
  };
  again("Ask me again", "this");
  again("Ask me all questions of this chapter again", "chapter", "Press again to forget all your answers of this chapter");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    here = fresh = commit.disabled = true;
    status.textContent = "Working it out …";
    const chosen = choices[rows.findIndex(({ input }) => input.checked)];
    model.send({ commit: pen ? pen.numbers() : range ? Number(range.value) : chosen || "" });
  });

  // The outcome makes the card higher: it is brought into view, no farther than to the card's top, until a hand does more.
  const [ended, still] = [new AbortController(), matchMedia("(prefers-reduced-motion: reduce)")];
  let fresh = false;
  for (const touch of ["wheel", "pointerdown", "keydown"]) {
    window.addEventListener(touch, () => { fresh = false; }, { capture: true, passive: true, signal: ended.signal });
  }
  const grown = new ResizeObserver(([{ target }]) => {
    if (fresh) target.scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
  });
  const shade = () => {
    const light = getComputedStyle(el).color.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    el.closest(".ck-prediction")?.classList.toggle("ck-dark", light > 382);
  };
  const themed = new MutationObserver(shade); // JupyterLab's theme is an attribute
  themed.observe(document.body, { attributes: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", shade, { signal: ended.signal });
  const placed = requestAnimationFrame(() => {
    const card = el.closest(".ck-prediction");
    if (!card) return;
    card.append(after); // below the outcome
    grown.observe(card);
    shade();
  });

  const flag = (answer, text, classes) => {
    const at = (100 * (answer - low)) / (high - low);
    const node = make(scale, "span", classes, text);
    node.style.cssText = at < 50 ? `left: ${at}%` : `right: ${100 - at}%`;
    node.classList.toggle("ck-left", at >= 50);
  };
  const show = () => {
    const { own, right, said } = model.get("result");
    const done = said !== undefined;
    el.classList.toggle("ck-done", done);
    after.hidden = !done;
    rows.forEach(({ row, input, note }, i) => {
      const [mine, so] = [done && choices[i] === own, done && choices[i] === right];
      Object.assign(input, { disabled: done, checked: mine });
      row.classList.toggle("ck-own", mine);
      row.classList.toggle("ck-right", so);
      note.textContent = [so && "so it is", mine && (so ? "and you said so" : "you said")].filter(Boolean).join(", ");
    });
    if (range) {
      range.disabled = number.disabled = done;
      scale.replaceChildren();
      if (done) {
        range.value = own;
        tell();
        flag(own, "you", "ck-own");
        flag(right, `${right} ✓`, "ck-right");
      }
    }
    commit.disabled = !model.get("ready") || !!(model.get("sketch").kind && !drawn);
    pen?.told(model.get("result"));
    hint.textContent = done ? "" : model.get("hint");
    status.replaceChildren();
    (said ?? "").split("**").forEach((part, i) => make(status, i % 2 ? "b" : "span", "", part));
    drawn = drawn && !done;
    const free = document.activeElement === document.body || el.contains(document.activeElement) || after.contains(document.activeElement);
    if (here && free) (done ? status : (form.querySelector("input") ?? commit)).focus({ preventScroll: true });
    here = false;
  };
  const watched = "change:result change:ready change:hint";
  model.on(watched, show);
  show();
  if (model.get("sketch").kind) lay();
  const unwatch = watchKernel(model, el);
  return () => {
    model.off(watched, show);
    model.off("change:sketch", place);
    layer?.remove();
    ended.abort();
    grown.disconnect();
    themed.disconnect();
    cancelAnimationFrame(placed);
    after.remove();
    unwatch();
  };
}
export default { initialize: stills, render };
