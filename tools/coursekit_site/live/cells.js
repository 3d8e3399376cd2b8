// The code cells of a page as editors: run in place, kept in this browser, put back, downloaded as a notebook.
import { Lab, replaced } from "./lab.js";

const data = JSON.parse(document.querySelector("#ck-cells").textContent);
const KEPT = `coursekit-cells ${location.pathname.replace(/(\.html)?$/, ".html")}`; // some servers leave the end out
const ASKS = /^\s*(check|hint|progress)\s*\(/m; // asks about other cells
const IMPORTS = /^(from \S+ )?import .*/;
const ONLY_ASKS = /^\s*((check|hint|progress)\s*\(.*|#.*)?$/; // the other lines of one that does nothing else
const WORDS = "and as assert async await break class continue def del elif else except finally for from global if import "
  + "in is lambda nonlocal not or pass raise return try while with yield";
const PARTS = new RegExp([
  "(?<c1>#.*)", "(?<s2>[rbfRBF]{0,2}(?:\"\"\"[^]*?(?:\"\"\"|$)|'''[^]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
  `(?<k>\\b(?:${WORDS.replaceAll(" ", "|")})\\b)`, "(?<kc>\\b(?:True|False|None)\\b)",
  "(?<mi>\\b\\d[\\d_.]*(?:e[-+]?\\d+)?\\b)", "(?<o>[-+*/%@=<>&|^~]+)",
].join("|"), "g");

const make = (tag, className = "", text = "") => coursekit.made(tag, { className }, text);

function colored(code) { // as pygments does, whose style sheet the page has
  const parts = document.createDocumentFragment();
  let from = 0;
  for (const found of code.matchAll(PARTS)) {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    parts.append(code.slice(from, found.index), make("span", kind, found[0]));
    from = found.index + found[0].length;
  }
  parts.append(code.slice(from), "\n");
  return parts;
}

async function typeset(within) { // the page's own formulas came with it
  if (!data.mathjax || !/\$|\\/.test(within.textContent)) return;
  if (!window.MathJax) {
    const tex = { inlineMath: [["$", "$"], ["\\(", "\\)"]] };
    window.MathJax = { tex, options: { enableMenu: false }, startup: { typeset: false } };
    await import(`../${data.mathjax}`);
    await MathJax.startup.promise;
    MathJax.Hub = { Queue() {} }; // ipywidgets knows MathJax 2 alone
  }
  await MathJax.typesetPromise([within]);
}

function forBelow(text) { // what of a cell may matter below it: of one that only asks, what it imports
  const lines = text.split("\n");
  const onlyAsks = ASKS.test(text) && lines.every((line) => IMPORTS.test(line) || ONLY_ASKS.test(line));
  return onlyAsks ? lines.filter((line) => IMPORTS.test(line)).join("\n") : text;
}

class Cell {
  constructor(page, place, own = null) {
    Object.assign(this, { page, place, own, id: own?.id ?? place.id.replace("cell-id=", "") });
    const block = place.querySelector(".highlight");
    this.pre = block.querySelector("pre");
    this.original = own ? "" : this.pre.textContent.replace(/\n$/, "");
    this.alt = place.querySelector(".output_png img")?.alt;
    this.locked = data.locked?.includes(this.id);
    this.area = Object.assign(make("textarea"), { spellcheck: false, autocapitalize: "off", readOnly: this.locked, rows: 1 });
    this.area.setAttribute("aria-label", this.locked ? "Code, to be run as it is" : "Code. Shift and Enter run it, Escape leaves it");
    this.area.value = own?.source ?? page.kept().cells[this.id] ?? this.original;
    this.area.addEventListener("input", () => { this.drawn(); this.page.keep(this); this.page.edited(); });
    this.area.addEventListener("keydown", (event) => this.pressed(event));
    this.bar = make("div", "ck-bar");
    const button = (text, act, title = "") => {
      const made = Object.assign(make("button", "", text), { type: "button", title, onclick: act });
      this.bar.append(made);
      return made;
    };
    this.button = button("Run", () => (this.waits ? page.stop() : page.run(this)), "Shift + Enter");
    this.back = button(own ? "Remove" : "Put back", () => this.putBack(), own ? "" : "The text as it came");
    const task = /^\s*check\("(\w+)"/m.exec(this.original)?.[1];
    if (task) button("Hint", () => page.run(this, `hint("${task}")`));
    button("New cell", () => page.add(this).area.focus(), "A cell of your own below this one");
    this.state = make("span");
    this.state.setAttribute("role", "status");
    this.bar.append(make("span", "ck-keys", "Shift + Enter runs it, Escape leaves it"), this.state);
    const stack = make("div", "ck-editor");
    this.pre.removeAttribute("tabindex");
    this.pre.setAttribute("aria-hidden", "true");
    block.replaceChildren(stack, this.bar);
    stack.append(this.pre, this.area);
    if (this.area.value !== this.original) this.drawn();
    this.back.hidden = !own && this.area.value === this.original;
    if (this.back.hidden) return;
    this.state.textContent = "Your text, as you left it: run it to see what it shows.";
    const fold = place.querySelector(".ck-code");
    if (fold) fold.open = true;
  }
  drawn() {
    this.pre.replaceChildren(colored(this.area.value));
    this.back.hidden = !this.own && this.area.value === this.original;
  }
  typed(text) { document.execCommand("insertText", false, text); } // which the browser can undo
  pressed(event) {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    const before = this.area.value.slice(0, this.area.selectionStart).split("\n").at(-1);
    if (key === "Enter" && (shiftKey || ctrlKey || metaKey)) this.page.run(this);
    else if (key === "Escape") this.button.focus();
    else if (this.locked) return;
    else if (key === "Tab" && !shiftKey && !ctrlKey) this.typed("    ".slice(before.length % 4));
    else if (key === "Enter") this.typed(`\n${/^ */.exec(before)[0]}${/:\s*$/.test(before) ? "    " : ""}`);
    else return;
    event.preventDefault();
  }
  putBack() {
    if (this.own) return this.page.remove(this);
    this.area.focus();
    this.area.select();
    this.typed(this.original);
  }
  get asks() { return ASKS.test(this.area.value); }
  get onlyAsks() { return forBelow(this.area.value) !== this.area.value; }
  says(text, holds) { // while it is so
    if (holds && !this.waits) this.state.textContent = text;
    else if (this.state.textContent === text) this.state.textContent = "";
  }
  waiting(text) {
    this.waits = text !== "";
    this.button.textContent = this.waits ? "Stop" : "Run";
    this.state.textContent = text;
    this.place.classList.toggle("ck-waits", this.waits);
  }
  output() { // where the cell's next output goes
    if (this.fresh || !this.shown) {
      this.shown = make("div", "output");
      const wrapper = this.place.querySelector(".output_wrapper") ?? this.place.appendChild(make("div", "output_wrapper"));
      wrapper.replaceChildren(this.shown);
      wrapper.toggleAttribute("data-own", this.area.value !== this.original);
      this.fresh = false;
    }
    return this.shown;
  }
  async show({ output_type: kind, text, name, data: bundle = {}, ratio = 1 }) {
    const output = this.output();
    if (kind === "clear") return output.replaceChildren();
    let area = output.lastElementChild;
    if (kind === "stream" && area?.dataset.name === name) return area.querySelector("pre").append(text);
    area = output.appendChild(make("div", "output_area"));
    const [type, value] = KINDS.map((one) => [one, bundle[one]]).find(([, found]) => found !== undefined) ?? ["text/plain", text];
    const within = area.appendChild(make("div", "output_subarea"));
    if (type === "application/vnd.jupyter.widget-view+json") {
      within.classList.add("ck-still");
      await this.page.show(value.model_id, within);
    } else if (type.startsWith("image/") && type !== "image/svg+xml") {
      within.classList.add("output_png");
      const image = Object.assign(new Image(), { src: `data:${type};base64,${value}` });
      image.alt = (this.area.value === this.original && this.alt) || "The picture that this cell draws";
      await image.decode();
      image.width = image.naturalWidth / ratio;
      within.append(image);
    } else if (type === "text/plain") {
      within.classList.add("output_text");
      const said = this.asks ? (text?.startsWith("✓") ? "ck-said ck-right" : "ck-said") : "";
      const look = kind === "error" ? "ck-error" : said;
      within.append(Object.assign(make("pre", look, value), { tabIndex: 0 }));
      if (name) area.dataset.name = name;
    } else {
      within.classList.add("rendered_html");
      if (type === "text/html" || type === "image/svg+xml") within.innerHTML = value;
      else within.append(make("p", "", value));
      await typeset(within);
      for (const table of within.querySelectorAll("table")) table.tabIndex = 0; // a wide one scrolls
    }
  }
  ended(ok, last) { // last: else it ran for a cell below, and may still wait for its own turn
    if (this.fresh) this.output().replaceChildren(); // it shows nothing now
    [this.fresh, this.failed] = [false, !ok];
    if (last || !this.waits) this.waiting("");
    if (last && !ok && this.page.above(this).some((one) => one.failed && !one.asks)) {
      this.state.textContent = "A cell further up has failed: look there first.";
    }
  }
}
const KINDS = ["application/vnd.jupyter.widget-view+json", "text/html", "image/svg+xml", "image/png",
  "image/jpeg", "text/latex", "text/plain"];

export class Notebook { // say: tells the reader a sentence. restart: ends Python and begins again
  constructor(say, restart) {
    Object.assign(this, { say, restart, cells: [], now: { cells: {}, added: [] } });
    const [button, link] = ["#ck-download", "#ck-lab"].map((id) => document.querySelector(id));
    if (link) new Lab(this, data.file, link);
    if (!button) return;
    button.hidden = false;
    button.onclick = () => this.download().catch(() => say("The notebook could not be fetched: is the network there?"));
  }
  live(worker, show) { // Python is there, for the first time or anew
    Object.assign(this, { worker, show });
    if (this.cells.length) return;
    const places = [...document.querySelectorAll(".code_cell .highlight")].map((block) => block.closest(".code_cell"));
    this.cells = [...new Set(places)].map((place) => new Cell(this, place));
    this.renew();
    addEventListener("storage", ({ key }) => { if (key === KEPT) this.renew(); });
    addEventListener("pageshow", () => this.renew()); // of a page that slept while another wrote
  }
  renew() { // to what is kept: another tab writes, too
    const { cells, added } = this.kept();
    for (const cell of this.cells) {
      const text = cell.own ? added.find(({ id }) => id === cell.id)?.source : cells[cell.id] ?? cell.original;
      if (text === undefined) this.drop(cell);
      else if (text !== cell.area.value) this.write(cell, text);
    }
    for (const own of added) if (!this.cell(own.id)) this.add(this.cell(own.after) ?? this.cells.at(-1), own);
  }
  write(cell, text) {
    cell.area.value = text;
    cell.drawn();
    this.edited();
  }
  cell(id) { return this.cells.find((cell) => cell.id === id); }
  above(cell) { return this.cells.slice(0, this.cells.indexOf(cell)); }
  // What a cell gives follows from its text and from those above it. first: as they came with the page.
  basis(cell, first = false) {
    const text = (one) => (first ? one.original : one.area.value);
    const above = this.above(cell).map((one) => [one.id, forBelow(text(one))]).filter(([, source]) => source);
    return { text: text(cell), above: JSON.stringify(above) };
  }
  // All cells above run first, each anew if its text or what is above it has changed or has run since: notebook.py knows.
  // What a reader sees of them is anew then, too, but for pictures that move, which stay as he has moved them.
  run(cell, source = cell.area.value) {
    if (cell.waits) return;
    const all = [...this.above(cell), cell].map((one) => {
      if (one !== cell && one.onlyAsks) return [`${one.id} imports`, forBelow(one.area.value), false]; // what it said stays
      one.sent = this.basis(one);
      const seen = one.told ?? this.basis(one, true);
      const other = one.sent.text !== seen.text || (one.sent.above !== seen.above && !one.place.querySelector(".ck-still, .ck-live"));
      return [one.id, one === cell ? source : one.sent.text, Boolean(one === cell || one.failed || other)];
    });
    cell.waiting("Running");
    this.worker.postMessage({ run: all, asks: cell.onlyAsks });
  }
  begins(id, { shown, last }) {
    const [cell, target] = [this.cell(id), this.cell(last)];
    this.begun = cell;
    if (cell) cell.fresh = shown; // until there is something new
    if (target?.waits) target.waiting(id === last ? "Running" : "First the cells above");
  }
  ran(id, { ok, last }) {
    const cell = this.cell(id);
    this.begun = null;
    if (!cell) return; // it was removed meanwhile
    cell.told = cell.sent;
    cell.ended(ok, last);
    this.edited();
  }
  edited() { // what is shown may be of another text now: the cell says so, and every verdict below it
    for (const cell of this.cells) if (cell.told) {
      cell.says("The text has changed since it ran: run it again.", cell.told.text !== cell.area.value);
      const older = cell.asks && cell.told.above !== this.basis(cell).above;
      cell.says("A cell above has changed since this was said: run this again.", older);
    }
  }
  async output(id, output) {
    try { await this.cell(id)?.show(output); } catch (error) { console.warn(error); }
  }
  stop() {
    for (const cell of this.cells) if (cell.waits || cell === this.begun) {
      cell.waiting("");
      cell.state.textContent = "Stopped. Python has been started again, and the text of your cells is still there: run them again.";
    }
    this.restart();
  }
  kept() { // the text of changed cells, and cells that were added
    if (!this.full) try { Object.assign(this.now, JSON.parse(localStorage.getItem(KEPT))); } catch { /* none that can be read */ }
    return JSON.parse(JSON.stringify(this.now));
  }
  keep(cell) {
    const now = this.kept(); // another tab may have written since
    if (cell.own) now.added = now.added.map((own) => (own.id === cell.id ? { ...own, source: cell.area.value } : own));
    else if (cell.area.value === cell.original) delete now.cells[cell.id];
    else now.cells[cell.id] = cell.area.value;
    this.store(now);
  }
  store(now) {
    this.now = now;
    try { localStorage.setItem(KEPT, JSON.stringify(now)); } catch {
      this.full = true;
      this.say("This browser has no room to keep what you write. Download it, or copy it, before you leave the page.");
    }
  }
  add(after, own = null) {
    const place = make("div", "cell border-box-sizing code_cell rendered");
    const block = place.appendChild(make("div", "input")).appendChild(make("div", "highlight"));
    block.append(make("pre"));
    after.place.after(place);
    const cell = new Cell(this, place, own ?? { id: Math.random().toString(16).slice(2, 10), after: after.id, source: "" });
    const now = this.kept();
    if (!own) this.store({ ...now, added: [...now.added, cell.own] });
    this.cells.splice(this.cells.indexOf(after) + 1, 0, cell);
    cell.drawn();
    return cell;
  }
  take(id, text) {
    const [cell, now] = [this.cell(id), this.kept()];
    this.store({ ...now, cells: { ...now.cells, [id]: text } });
    if (cell) this.write(cell, text);
  }
  async download() {
    const given = await (await fetch(data.file, { cache: "no-cache" })).json();
    const notebook = replaced(given, this.kept());
    for (const of of notebook.cells) { // who grades it elsewhere sees what has run here, and how it failed
      const cell = this.cell(of.id);
      if (!cell?.told || cell.state.textContent) continue; // that was another text
      const evalue = [...cell.place.querySelectorAll(".ck-error")].map((error) => error.textContent).join("\n");
      Object.assign(of, { execution_count: this.cells.indexOf(cell) + 1, outputs: !cell.failed ? [] : [{ output_type: "error", ename: "Error", evalue, traceback: [] }] });
    }
    const text = JSON.stringify(notebook, null, 1);
    const link = Object.assign(make("a"), { href: URL.createObjectURL(new Blob([text])), download: decodeURIComponent(data.file.split("/").at(-1)) });
    link.click();
  }
  remove(cell) {
    const now = this.kept();
    this.store({ ...now, added: now.added.filter((own) => own.id !== cell.id) });
    this.drop(cell);
  }
  drop(cell) {
    this.cells = this.cells.filter((one) => one !== cell);
    cell.place.remove();
    this.edited();
  }
}
