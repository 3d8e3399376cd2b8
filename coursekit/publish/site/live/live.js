// Makes a reading page live, in place: Python in a worker, its widgets here (manager.js). Where anything is missing,
// fails or hangs, the page stays as it is, and one sentence says so.
import { Manager, libraries } from "./manager.js";

const here = new URL(".", import.meta.url);
const { cells, integrity } = JSON.parse(document.querySelector("#ck-cells").textContent);
const PATIENCE = 60_000; // milliseconds without a word of Python's while it starts
const STEPS = 5 + cells.length;
const ANSWERS = "coursekit-predictions";

const line = Object.assign(document.createElement("p"), { className: "ck-status" });
line.setAttribute("role", "status");
document.body.append(line);
const failed = () => {
  document.documentElement.classList.remove("ck-starting");
  const lab = document.querySelector("nav a.button").cloneNode();
  lab.className = "";
  lab.textContent = "In the lab they do";
  line.replaceChildren("Not all pictures of this page can move here. ", lab, ".");
};

function start() {
  const worker = new Worker(new URL("worker.mjs", here), { type: "module" });
  const loaded = libraries();
  let manager = null;
  let steps = 0;
  let watch = null;
  const stop = (why) => {
    clearTimeout(watch);
    worker.terminate();
    console.warn(why);
    failed();
  };
  const patient = () => {
    clearTimeout(watch);
    watch = setTimeout(() => stop("Python has said nothing for a minute"), PATIENCE);
  };
  const receive = async (data) => {
    manager ??= new Manager(await loaded, worker);
    for (const message of data.messages ?? []) await manager.handle(message);
    if (data.idle) manager.idle(data.idle);
    if (data.failed) {
      if (data.dead) stop(data.failed);
      else { console.warn(data.failed); failed(); }
    }
    if ("answers" in data) try { localStorage.setItem(ANSWERS, data.answers); } catch { /* a browser that keeps nothing */ }
    const still = data.model && document.getElementById(`cell-id=${data.cell}`)?.querySelector(".ck-still");
    if (still) await manager.show(data.model, still);
  };
  let queue = Promise.resolve();
  worker.onerror = (event) => stop(event.message);
  worker.onmessage = ({ data }) => {
    if (data.step || data.cell) {
      patient();
      if (!line.querySelector("a")) line.textContent = `Python is starting: ${Math.round((100 * ++steps) / STEPS)} %`;
    }
    queue = queue.then(() => receive(data)).catch(stop);
    if (data.done) {
      clearTimeout(watch);
      queue.then(() => { if (!line.querySelector("a")) line.textContent = ""; });
    }
  };
  let answers = null;
  try { answers = localStorage.getItem(ANSWERS); } catch { /* a browser that keeps nothing */ }
  worker.postMessage({ cells, integrity, answers, narrow: matchMedia("(max-width: 600px)").matches });
  line.textContent = "Python is starting: 0 %";
  patient();
}

// The text comes first. A page that does not say that it is starting waits for the first touch.
const begin = () => {
  document.documentElement.classList.add("ck-starting");
  try { start(); } catch (error) { console.warn(error); failed(); }
};
if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") failed();
else if (!document.documentElement.classList.contains("ck-starting")) {
  const touched = () => {
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, touched);
    begin();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touched);
} else requestAnimationFrame(() => setTimeout(begin));
