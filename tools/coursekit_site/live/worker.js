// Python of a reading page, and the messages between its widgets and the page.
import { loadPyodide } from "../../static/pyodide/pyodide.js";

const SIZE = 0; // of all that comes before Python, written here by the build
const SITE = "/lib/python3.14/site-packages";
const HOME = "/home/web";
const KEPT = { // what outlives the page
  "coursekit-predictions": `${HOME}/.coursekit-predictions.json`,
  "coursekit-progress": `${HOME}/exercises/.coursekit-progress.json`,
};
const at = (path) => new URL(path, import.meta.url).href;
const first = new Promise((resolve) => { onmessage = ({ data }) => resolve(data); });
const beside = first.then(({ course }) => Promise.all(course.map(([path, url]) => { // what lies beside the notebook
  const take = async (answer) => ({ path: `${HOME}/${path}`, bytes: new Uint8Array(await answer.arrayBuffer()) });
  return whole(url, take, { caches: ["no-cache", "reload"] });
})));
beside.catch(() => {}); // it is told where it is awaited
const step = (name) => first.then(() => postMessage({ step: name })); // a page may start this before it listens

let [came, told, began] = [0, 0, null]; // began: what had come when Python was there
globalThis.came = (bytes) => {
  came += bytes;
  const [sum, now] = [came, performance.now()]; // since this began, which may be long before the page listens
  if (now - told < 200 || (began === null && sum > SIZE)) return;
  told = now;
  if (began !== null) postMessage({ more: sum - began });
  else first.then(() => postMessage({ came: sum, size: SIZE, left: now < 2000 ? null : (SIZE / sum - 1) * (now / 1000) }));
};

globalThis.again = (bytes) => { // they were damaged, and come once more
  came -= bytes;
  first.then(() => postMessage({ again: true }));
};

function* members(tar) {
  const text = new TextDecoder();
  const field = (from, length) => text.decode(tar.subarray(from, from + length)).split("\0")[0];
  for (let from = 0; tar[from]; ) {
    const size = parseInt(field(from + 124, 12), 8);
    const folder = field(from + 345, 155);
    yield [(folder && `${folder}/`) + field(from, 100), tar.subarray(from + 512, from + 512 + size)];
    from += 512 + 512 * Math.ceil(size / 512);
  }
}

async function unpacked(name) {
  const response = await fetch(at(`../../static/pyodide/${name}`));
  return new Uint8Array(await response.arrayBuffer());
}

function write(FS, files) {
  const made = new Set();
  for (const { path, bytes } of files) {
    const folder = path.replace(/\/[^/]*$/, "");
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(path, bytes, { canOwn: true });
  }
}

// What explorers do not need to move comes when they do: the second archive, and the whole standard library.
async function complete({ FS, pyimport }) {
  const [tar, library] = await Promise.all(["later.bin", "python_stdlib.zip"].map(unpacked));
  const files = [...members(tar)].map(([name, bytes]) => ({ path: `${SITE}/${name}`, bytes }));
  write(FS, [...files, { path: "/lib/python314.zip", bytes: library }]);
  pyimport("coursekit_site.inside.live").complete(files.map(({ path }) => path));
}

async function opened(tar) {
  const files = [...members(await tar)].map(([name, bytes]) => {
    const compiled = name.endsWith(".so") ? WebAssembly.compile(bytes) : null; // beside Python's start
    compiled?.catch(() => {}); // whoever loads it is told
    return { path: `${SITE}/${name}`, bytes, compiled };
  });
  for (const { path } of [...files]) { // Python takes no bytecode of a module whose text is not there: it comes later
    const module = /(.*)__pycache__\/(.*)\.cpython-314\.pyc$/.exec(path);
    if (module) files.push({ path: `${module[1]}${module[2]}.py`, bytes: new Uint8Array(0), compiled: null });
  }
  step("archive");
  return files;
}

// The memory of a Python that has imported everything is kept in this browser: the next page's Python begins there.
const MEMORY = at("memory"); // where nothing else is
const cache = () => caches.open(at(".")); // the cache of kept.js, until a new build

// So is the program that Python itself is, unpacked: a browser compiles it for good where it comes by kept.js.
const PROGRAM = at("program");
globalThis.kept = async (name) => { // only where kept.js answers: this worker is named for it
  if (name !== "pyodide.asm.wasm" || globalThis.name !== "kept" || !(await (await cache()).match(PROGRAM))) return null;
  const answer = await fetch(PROGRAM); // no server has it: where it is damaged, nobody
  if (answer.ok) return answer;
  console.info("The kept program is not whole");
  return null;
};
async function program() {
  if (await (await cache()).match(PROGRAM)) return [];
  const answer = await fetch(at("../../static/pyodide/pyodide.asm.wasm"));
  return [{ address: PROGRAM, bytes: await answer.blob(), headers: { "content-type": "application/wasm" } }];
}

async function remembered() {
  const found = await (await cache()).match(MEMORY);
  if (!found) return null;
  const told = JSON.parse(found.headers.get("x-told"));
  const bytes = new Uint8Array(told.length); // for the end of Pyodide's start, which need not wait until they are there
  const unzipped = new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const there = unzipped.catch(() => "").then((all) => {
    if (all.byteLength !== told.length) throw new Error("The kept memory is not whole");
    bytes.set(new Uint8Array(all));
  });
  there.catch(() => {}); // it is told where it is awaited
  return { ...told, bytes, there };
}

// Libraries are loaded before Python, one after another in the order of the archive: their places and the numbers of
// their functions are then the same each time, as a memory needs them that has their addresses in it.
async function python(memory) {
  const files = opened(unpacked("course.bin"));
  files.catch(() => {}); // it is told where it is awaited
  let [module, functions] = [null, 0];
  const pyodide = await loadPyodide({
    indexURL: at("../../static/pyodide/"),
    stdLibURL: at("../../static/pyodide/library.zip"),
    env: { HOME, JUPYTER_WIDGETS_ECHO: "0", MPLBACKEND: "agg" },
    _makeSnapshot: !memory,
    _loadSnapshot: memory?.bytes,
    fsInit: async (FS) => {
      write(FS, await files);
      step("files");
    },
    createPyodideModule: async (settings) => {
      const { default: create } = await import("../../static/pyodide/pyodide.asm.js");
      let constructors = [];
      let failed = null;
      settings.preRun.push(async (loading) => {
        module = loading;
        module.addRunDependency("libraries");
        try {
          if (memory) module.growMemory(memory.size);
          const others = module.onPostCtors.length;
          for (const { path, compiled } of await files) {
            if (!compiled) continue;
            const library = module.newDSO(path, undefined, "loading");
            library.global = false;
            library.exports = await module.loadWebAssemblyModule(await compiled, { loadAsync: true, nodelete: true }, path, {});
          }
          constructors = module.onPostCtors.splice(others); // they need Python; a kept memory has had them
          functions = module.wasmTable.length;
          await memory?.there;
          if (memory && functions !== memory.functions) throw new Error("other libraries than were kept");
        } catch (error) { failed = error; }
        module.removeRunDependency("libraries");
      });
      await create(settings);
      if (failed) throw failed;
      if (!memory) for (const construct of constructors) construct(module);
      const { loadedLibsByHandle, loadedLibsByName } = module.LDSO;
      for (const [handle, name] of memory?.handles ?? []) loadedLibsByHandle[handle] = loadedLibsByName[name];
      return module;
    },
  });
  const keep = () => { // returns what kept.js is told of it, when there is time
    for (const name in pyodide.loadedPackages) delete pyodide.loadedPackages[name]; // else it is no Python that just began
    const bytes = pyodide.makeMemorySnapshot();
    const handles = Object.entries(module.LDSO.loadedLibsByHandle).map(([handle, { name }]) => [handle, name]);
    const told = JSON.stringify({ handles, functions, size: module.HEAP8.length, length: bytes.length });
    return () => ({ address: MEMORY, bytes: new Blob([bytes]), headers: { "x-told": told }, pack: true });
  };
  return { pyodide, keep: memory || navigator.deviceMemory < 4 ? null : keep };
}

async function start() {
  const found = await remembered().catch(() => null); // a browser that keeps nothing
  const { pyodide, keep } = await python(found).catch(async (error) => {
    if (!found) throw error;
    console.info(error.message);
    await (await cache()).delete(MEMORY);
    return python(null);
  });
  await step("python");
  let memory = null;
  if (keep) try {
    pyodide.pyimport("coursekit_site.inside.live").ready();
    memory = keep();
  } catch (error) { console.info(error.message); } // the next page begins as this one
  const { cells, narrow, kept, folder } = await first;
  const { FS } = pyodide;
  FS.mkdirTree(`${HOME}/${folder}`);
  FS.chdir(`${HOME}/${folder}`);
  write(FS, await beside);
  const before = Object.fromEntries(kept);
  const taken = ([name, text]) => { // from other tabs, or put together with theirs
    if (text === null || !FS.analyzePath(KEPT[name]).parentExists) return;
    FS.writeFile(KEPT[name], (before[name] = text));
  };
  kept.forEach(taken);
  const told = () => {
    for (const [name, path] of Object.entries(KEPT)) {
      const now = FS.analyzePath(path).exists ? FS.readFile(path, { encoding: "utf8" }) : null;
      if (now !== null && now !== before[name]) postMessage({ kept: [name, before[name], (before[name] = now)] });
    }
  };
  const saving = new Set(); // the buttons whose work needs all of Python
  const send = (json, buffers) => {
    const copies = buffers.toJs(), messages = JSON.parse(json);
    for (const [, comm, { state }] of messages) if (state?.description === "Save") saving.add(comm);
    postMessage({ messages: messages.map((one, k) => [...one, copies[k]]) }, copies.flat().map((b) => b.buffer));
  };
  const page = pyodide.pyimport("coursekit_site.inside.live").Page(send, narrow);
  await step("imports");
  [began, globalThis.moves] = [came, true];
  let [whole, all] = [null, false];
  const rest = () => (whole ??= complete(pyodide).then(() => { all = true; }).catch((error) => {
    whole = null; // the next who needs it asks again
    postMessage({ partly: error.message });
  }));
  let notebook = null;
  const run = async (wanted, asks) => {
    await rest();
    if (!all) return postMessage({ messages: [["ran", wanted.at(-1)[0], { ok: false, last: true }]] });
    notebook ??= pyodide.pyimport("coursekit_site.inside.notebook").Notebook(page);
    notebook.run(pyodide.toPy(wanted), asks);
    told();
  };
  let show = null;
  const seen = new Promise((resolve) => { show = resolve; }); // the first picture, in the page
  onmessage = async ({ data: { run: wanted, asks, kept: text, shown, number, comm, data, buffers } }) => {
    if (shown) return show();
    if (wanted) return run(wanted, asks);
    if (text) return taken(text);
    if (saving.has(comm) && !all) {
      postMessage({ waits: "The picture is saved as soon as all of Python has loaded" });
      await rest();
      postMessage({ waits: all ? "Python is starting" : "The picture could not be saved: is the network there?" });
    }
    if (all || !saving.has(comm)) try { page.receive(comm, data, buffers); } catch (error) { postMessage({ failed: String(error) }); }
    postMessage({ idle: number });
    told();
  };
  for (const { id, source } of cells) {
    try { postMessage({ cell: id, model: page.run(source) }); } catch (error) { postMessage({ cell: id, failed: String(error) }); }
    await new Promise((resolve) => setTimeout(resolve)); // a reader may already move a slider
    await (whole ? rest() : seen.then(rest)); // a reader who runs a cell early has asked for it already
  }
  await rest();
  const made = await program().catch(() => []);
  if (memory) made.push(memory());
  postMessage({ done: true, made, loaded: performance.getEntriesByType("resource").map(({ name }) => name) });
}

start().catch((error) => first.then(() => postMessage({ dead: true, failed: String(error.stack ?? error) })));
