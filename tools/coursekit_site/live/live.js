// Makes a reading page live, in place: Python in a worker, its widgets here (manager.js). Where anything is missing,
// fails or hangs, the page stays as it is, and one sentence says so.
import { Notebook } from "./cells.js";
import { Manager, libraries } from "./manager.js";

const here = new URL(".", import.meta.url);
const { cells, lab, file, files = {}, folder = "" } = JSON.parse(document.querySelector("#ck-cells").textContent);
const PATIENCE = 60_000; // milliseconds without a word of Python's while it starts
const STEPS = 5 + cells.length;
const PROGRESS = "coursekit-progress";
const KEPT = ["coursekit-predictions", PROGRESS];

// For the next visit; a browser that keeps nothing asks for everything again. The lab's own service worker has the whole
// site, ours the chapters and the start page, under the name that it gets here.
async function keep({ loaded, made }) {
  const site = new URL("../../", here);
  const register = (scope) => navigator.serviceWorker.register(new URL(`kept.js?${here.pathname}`, site), { scope });
  await register(new URL("index.html", site));
  if (location.pathname === site.pathname) history.replaceState(history.state, "", `index.html${location.hash}`);
  const found = await register(new URL("read/", site));
  const entries = performance.getEntriesByType("resource").map(({ name }) => name);
  const addresses = [...entries, ...loaded, ...(file ? [new URL(file, location).href] : [])].filter((one) => one.startsWith(location.origin));
  (found.installing ?? found.waiting ?? found.active).postMessage({ addresses: [...new Set(addresses), location.href.split("#")[0]], made });
}

// Python's memory and program are kept for the next page (worker.js). Where Python dies, that may be the reason.
async function forget() {
  const cache = await caches.open(here.href);
  for (const name of ["memory", "program"]) await cache.delete(new URL(name, here));
}

// What is kept of predictions and tasks, by their names: other tabs write there, too, and none writes over another's.
const items = (name, text) => {
  const found = JSON.parse(text ?? "{}");
  const tasks = (kind, passed) => (found[kind] ?? []).map((task) => [task, passed]);
  return name === PROGRESS ? Object.fromEntries([...tasks("failed", false), ...tasks("passed", true)]) : found;
};
function merged(name, before, now) { // before, now: what this page's Python had, and has
  const [was, is, all] = [before, now, coursekit.kept(name)].map((text) => items(name, text));
  for (const one of Object.keys({ ...was, ...is })) {
    if (!(one in is)) delete all[one];
    else if (JSON.stringify(was[one]) !== JSON.stringify(is[one])) all[one] = is[one];
  }
  const tasks = (passed) => Object.keys(all).filter((task) => all[task] === passed).sort();
  coursekit.keep(name, JSON.stringify(name === PROGRESS ? { passed: tasks(true), failed: tasks(false) } : all));
  return [name, coursekit.kept(name)];
}
addEventListener("storage", ({ key }) => {
  for (const name of KEPT) if (key === coursekit.named(name)) python?.postMessage({ kept: [name, coursekit.kept(name)] });
});

const { line, say } = coursekit;
clearTimeout(coursekit.watch);
if (!coursekit.dead) say();
const failed = () => { // Python runs, and so it does in the lab, unless half of it is missing
  if (line.querySelector("a")) return;
  const link = Object.assign(document.createElement("a"), { href: lab, textContent: "In the lab they do" });
  say("Not all pictures of this page can move here. ", link, ".");
};

const partly = (why) =>
  say(`Python didn't load completely (${why}): cells don't run, and no picture can be saved. `, coursekit.anew(), ".");

let [loaded, lacks] = [null, ""]; // the widgets' scripts, and which of them is on its way
let python = null; // the worker
let lasting = ""; // what the notebook has said: Python's progress does not take its place
const progress = (...parts) => { if (!line.querySelector("a") && !lasting && !coursekit.dead) say(...parts); };
const notebook = new Notebook((text) => say(lasting = text), () => {
  for (const asleep of document.querySelectorAll(".ck-live")) asleep.inert = true;
  python.terminate();
  start();
});

function start() {
  const worker = python = coursekit.early ?? coursekit.python();
  delete coursekit.early; // it ends when Python is started anew
  loaded ??= libraries((name) => { lacks = name; });
  let manager = null;
  let steps = 0;
  let [watch, silent, waits, again] = [null, null, null, ""]; // waits: what a reader wants who has to wait
  const stop = (why) => {
    clearTimeout(watch);
    clearTimeout(silent);
    worker.terminate();
    console.warn(why);
    forget().catch(console.warn);
    coursekit.cannot(`${why}`);
  };
  const patient = () => {
    clearTimeout(watch);
    const silence = () => (lacks ? `${here.pathname}${lacks} did not load` : "it has said nothing for a minute");
    watch = setTimeout(() => stop(silence()), lacks ? PATIENCE / 4 : PATIENCE);
  };
  const receive = async (data) => {
    if (coursekit.dead) return worker.terminate(); // the stills stay
    manager ??= new Manager(await loaded, worker);
    for (const message of data.messages ?? []) {
      const [kind, cell, told] = message;
      if (["begins", "output", "ran"].includes(kind)) await notebook[kind](cell, told);
      else await manager.handle(message);
    }
    if (data.step === "imports") notebook.live(worker, (model, place) => manager.show(model, place));
    if (data.idle) manager.idle(data.idle);
    if (data.partly) partly(data.partly);
    if (data.failed) {
      if (data.dead) stop(data.failed);
      else { console.warn(data.failed); failed(); }
    }
    if (data.kept) worker.postMessage({ kept: merged(...data.kept) });
    const still = data.model && document.getElementById(`cell-id=${data.cell}`)
      ?.querySelector(".output_wrapper:not([data-own]) :is(.ck-still, .ck-live)");
    if (still) await manager.show(data.model, still);
    if (data.cell) worker.postMessage({ shown: data.cell });
  };
  let queue = Promise.resolve();
  worker.onerror = (event) => stop(event.message ?? "");
  worker.onmessage = ({ data }) => {
    if (data.again) again = "Part of Python was damaged; loading it again. ";
    if (data.came) {
      patient();
      const [here, all] = [data.came, data.size].map((bytes) => (bytes / 1e6).toFixed(1));
      const left = data.left === null ? "" : `, about ${Math.ceil(data.left)} s`;
      clearTimeout(silent);
      const broken = () => progress(`${again}Loading Python: ${here} of ${all} MB; no data arriving`);
      if (data.came < 0.95 * data.size) silent = setTimeout(broken, 3000); // else it may be Python that takes its time
      progress(`${again}Loading Python: ${here} of ${all} MB${left}`);
      return;
    }
    clearTimeout(silent);
    if (data.waits) waits = data.waits;
    if (data.waits || data.more) {
      patient();
      const more = `The first picture works; still loading: ${(data.more / 1e6).toFixed(1)} MB so far`;
      progress(waits ?? more);
    }
    if (data.step || data.cell) {
      patient();
      progress(`Python is starting: ${Math.round((100 * ++steps) / STEPS)} %`);
    }
    queue = queue.then(() => receive(data)).catch(stop);
    if (data.done) {
      coursekit.started = true;
      clearTimeout(watch);
      queue.then(() => progress());
      keep(data).catch((error) => console.info(error.message));
    }
  };
  const kept = KEPT.map((name) => [name, coursekit.kept(name)]);
  const course = Object.entries(files).map(([path, url]) => [path, new URL(url, location).href]);
  worker.postMessage({ cells, kept, course, folder, narrow: matchMedia("(max-width: 600px)").matches });
  say(lasting || "Loading Python");
  watch = setTimeout(() => stop(coursekit.asked ? `${coursekit.asked} did not load` : "it has said nothing yet"), 20_000);
  silent = setTimeout(() => coursekit.mended().then((found) => found && stop(""), stop), 5000); // of a script that was cut off
}

const begin = () => {
  if (coursekit.dead) return;
  document.documentElement.classList.add("ck-starting");
  try { start(); } catch (error) { coursekit.cannot(`${error}`); }
};
if (document.documentElement.classList.contains("ck-starting")) requestAnimationFrame(() => setTimeout(begin));
else { // a page that does not say that it is starting waits for the first touch
  const touched = () => { // not at the press: the page makes room, and what was pressed would slip from under the finger
    for (const kind of ["click", "keydown"]) removeEventListener(kind, touched);
    begin();
  };
  for (const kind of ["click", "keydown"]) addEventListener(kind, touched);
}
