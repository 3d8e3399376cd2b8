// A field for a number, with or without a slider beside it. It is put in front of the scripts of the widgets that use it.

// A digit of whatever script: ten follow one another, from zero on.
function digit(letter) {
  const code = letter.codePointAt(0);
  return [...Array(10).keys()].find((k) => !/\p{Nd}/u.test(String.fromCodePoint(code - k - 1)));
}

// What a person means who types 0.1, .5, 1e-2, 0,1, −3 or ٠٫١; NaN if it is no number.
function typed(text) {
  const latin = text.normalize("NFKC").replace(/\p{Nd}/gu, digit).replaceAll("٬", "").replaceAll("٫", ".");
  const plain = latin.trim().replace(/[‐-―−]/g, "-").replace(/(\d)\s(?=\d{3}(\D|$))/g, "$1");
  const [comma, point] = [plain.lastIndexOf(","), plain.lastIndexOf(".")];
  const english = comma < point ? plain.replaceAll(",", "") : plain.replaceAll(".", "").replace(",", ".");
  const number = comma < 0 ? plain : point < 0 ? plain.replace(",", ".") : english;
  return /^[+-]?\s*(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(number) ? Number(number.replace(/\s/g, "")) : NaN;
}

function shown(value) {
  const rounded = Number(value.toPrecision(4));
  return Number.isInteger(value) ? `${value}` : Math.abs(rounded) < 1e-4 ? rounded.toExponential() : `${rounded}`;
}

// A finger that begins on a slider may scroll the page: what it has moved until that shows, it moves back.
function staying(slider, now, put) {
  let before = now();
  slider.addEventListener("pointerdown", () => { before = now(); });
  slider.addEventListener("pointercancel", () => put(before));
}

// now(): the number. ends(): the least and the largest. nearest(number): what is allowed. step(by): what is so many steps
// on. put(number): makes it the number. note: says what became of the text of what has this name. Returns what shows the
// number as it is now.
function field(input, note, name, { now, ends, nearest, step, put }) {
  let edited = false;
  const show = () => {
    const [low, high] = ends();
    if (!edited) input.value = shown(now());
    input.inputMode = low < 0 ? "text" : "decimal"; // the keys of a phone have no minus beside the digits
    [input.ariaValueMin, input.ariaValueNow, input.ariaValueMax] = [low, now(), high];
    input.ariaValueText = shown(now());
  };
  const commit = () => {
    if (!edited) return;
    edited = false;
    const [text, [low, high]] = [input.value.trim(), ends()];
    const number = typed(text);
    if (!Number.isNaN(number)) put(nearest(number));
    const is = shown(now());
    show();
    if (Number.isNaN(number)) note.textContent = `${name}: ${text ? `“${text}”` : "nothing"} is no number; it is still ${is}.`;
    else if (number < low || number > high) note.textContent = `${name} goes from ${shown(low)} to ${shown(high)}: ${text} became ${is}.`;
    else if (is !== shown(number)) note.textContent = `${name} goes in steps: ${text} became ${is}, the nearest.`;
  };
  Object.assign(input, { type: "text", role: "spinbutton", autocomplete: "off", spellcheck: false });
  // In JupyterLab, letters and arrows are commands wherever they are not suppressed on the focused element itself.
  input.dataset.lmSuppressShortcuts = "true";
  note.role = "status";
  input.addEventListener("input", () => { edited = true; note.textContent = ""; });
  input.addEventListener("blur", commit);
  input.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!by && event.key !== "Escape" && !(event.key === "Enter" && edited)) return;
    event.preventDefault();
    if (event.key === "Escape") edited = false;
    commit();
    if (by) put(step(by));
    show();
  });
  return () => { note.textContent = ""; show(); };
}
