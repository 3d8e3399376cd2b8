// Inside the page of the lecture: one step is shown, the others lie ready behind it. The page around it says which.
const FONTS = [["Regular", 400], ["Semibold", 600]].map(([cut, weight]) => `@font-face { font-family: "Course Sans"; `
  + `src: url(/hall/CourseSans-${cut}.ttf); font-weight: ${weight}; }\n`).join("") + `.ck-scene, .ck-scene .ck-demo, .ck-scene `
  + `:is(.ck-prediction, .ck-whole, .widget-htmlmath) { font-family: "Course Sans", system-ui, sans-serif !important; }\n`;
const KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "Enter", " ", "a", "b", "s", "f", "l"];
function render({ model, el }) {
  el.style.display = "none";
  const say = (what) => parent.postMessage(what, location.origin);
  const ended = new AbortController();
  const rules = document.head.appendChild(document.createElement("style"));
  const here = () => document.querySelector(`.ck-scene-${model.get("asked").step}`);
  const show = () => {
    const { step, style, outcomes } = model.get("asked");
    document.body.dataset.style = style;
    document.body.dataset.jpThemeLight = style !== "dark";
    rules.textContent = `${FONTS}.ck-scene:not(.ck-scene-${step}), .ck-scene:not(.ck-scene-${step}) * { visibility: hidden !important; }`;
    document.body.classList.toggle("ck-answered", outcomes.includes(step));
    if (outcomes.includes(step)) draw();
    fit();
  };
  // What is so can be more than fits: then it is smaller, or, before it is much smaller, its last words are only said.
  const fit = () => {
    const told = here()?.querySelector(":scope > .ck-outcome");
    if (!told || !document.body.classList.contains("ck-answered")) return;
    told.querySelectorAll("pre").forEach((pre) => {
      pre.style.setProperty("--columns", Math.max(...pre.textContent.split("\n").map(({ length }) => length)));
    });
    const last = told.lastElementChild;
    const words = last?.querySelector("img, pre, table, canvas") ? null : last;
    for (const [shown, least] of [[true, 0.8], [false, 0.6]]) {
      if (words) words.style.display = shown ? "" : "none";
      for (let size = 1; size > least; size -= 0.05) {
        told.style.zoom = size;
        if (here().scrollHeight <= here().clientHeight) return;
      }
    }
  };
  window.addEventListener("resize", fit, { signal: ended.signal });
  // A drawing is answered with its own button, whatever has been drawn.
  const draw = () => {
    const button = here()?.querySelector(".ck-prediction:not(.ck-outcome) .ck-commit");
    if (!button || here().querySelector(".ck-done")) return;
    button.disabled = false;
    button.click();
  };
  // A drawer that was open when Python died is open again as soon as it is there.
  const drawers = () => [...document.querySelectorAll(".ck-scene")].filter((one) => one.querySelector(".ck-more.mod-active"));
  const reopen = (scene) => {
    const button = document.querySelector(`.${scene} .ck-more`);
    if (button) button.click();
    else if (!ended.signal.aborted) setTimeout(reopen, 100, scene);
  };
  const heard = ({ origin, data }) => {
    if (origin === location.origin && data.opened) data.opened.forEach(reopen);
    if (origin === location.origin && data.back) kernel?.reconnect(); // by itself, it would wait longer and longer
    if (origin !== location.origin || !data.asked) return;
    model.set("asked", data.asked);
    model.save_changes();
    show();
  };
  const kernel = model.widget_manager.kernel;
  window.addEventListener("message", heard, { signal: ended.signal });
  // Keys that nothing here has a use for turn pages; a clicker's do wherever the focus is, and move no slider.
  const turn = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    say({ key: event.key });
  };
  const clicked = (event) => { if (["PageUp", "PageDown"].includes(event.key)) turn(event); };
  const pressed = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (KEYS.includes(event.key) && !event.target.closest("input, button, select, textarea, [tabindex='0'], [contenteditable]")) turn(event);
  };
  window.addEventListener("keydown", clicked, { capture: true, signal: ended.signal });
  window.addEventListener("keydown", pressed, { signal: ended.signal });
  const report = () => {
    say({ made: model.get("made"), lines: model.get("lines") });
    fit();
  };
  model.on("change:made change:lines", report);
  const lost = (_, now) => {
    if (!["restarting", "autorestarting", "terminating", "dead"].includes(now)) return;
    say({ lost: drawers().map(({ className }) => /ck-scene-\d+/.exec(className)[0]), lines: model.get("lines") });
  };
  kernel?.statusChanged.connect(lost);
  show();
  report();
  say({ ready: true });
  model.send({ here: true });
  return () => {
    ended.abort();
    rules.remove();
    model.off("change:made change:lines", report);
    kernel?.statusChanged.disconnect(lost);
  };
}
export default { render };
