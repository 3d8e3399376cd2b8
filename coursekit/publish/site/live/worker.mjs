// Python of a reading page, and the messages between its widgets and the page.
import { loadPyodide } from "../../static/pyodide/pyodide.mjs";

const INTEGRITY = ""; // of the archive, written here when the site is built
const SITE = "/lib/python3.14/site-packages";
const HOME = "/home/web";
const KEPT = { // what outlives the page
  "coursekit-predictions": `${HOME}/.coursekit-predictions.json`,
  "coursekit-progress": `${HOME}/exercises/.coursekit-progress.json`,
};
const at = (path) => new URL(path, import.meta.url).href;
const first = new Promise((resolve) => { onmessage = ({ data }) => resolve(data); });
const step = (name) => first.then(() => postMessage({ step: name })); // a page may start this before it listens

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

let compiled = []; // beside Python's start: while they are held here, the browser does not compile the same bytes again
async function unpacked(url) {
  const response = await fetch(url, { integrity: INTEGRITY });
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  const tar = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  step("archive");
  const found = [...members(new Uint8Array(tar))];
  compiled = found.filter(([name]) => name.endsWith(".so")).map(([, bytes]) => WebAssembly.compile(bytes));
  for (const one of compiled) one.catch(() => {}); // whoever imports it is told
  return found;
}

async function start() {
  const files = unpacked(at("../../static/pyodide/course.tar.gz"));
  files.catch(() => {});  // it is told where it is awaited
  const pyodide = await loadPyodide({
    indexURL: at("../../static/pyodide/"),
    env: { HOME, JUPYTER_WIDGETS_ECHO: "0", MPLBACKEND: "agg" },
    fsInit: async (FS) => {
      const made = new Set();
      for (const [name, bytes] of await files) {
        const folder = `${SITE}/${name}`.replace(/\/[^/]*$/, "");
        if (!made.has(folder)) FS.mkdirTree(folder);
        made.add(folder);
        FS.writeFile(`${SITE}/${name}`, bytes, { canOwn: true });
      }
      step("files");
    },
  });
  step("python");
  const { cells, narrow, kept, course, folder } = await first;
  const { FS } = pyodide;
  FS.mkdirTree(`${HOME}/${folder}`);
  FS.chdir(`${HOME}/${folder}`);
  await Promise.all(course.map(async ([path, url]) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${url}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    FS.mkdirTree(`${HOME}/${path}`.replace(/\/[^/]*$/, ""));
    FS.writeFile(`${HOME}/${path}`, bytes);
  }));
  const before = Object.fromEntries(kept);
  for (const [name, text] of kept) if (text && FS.analyzePath(KEPT[name]).parentExists) FS.writeFile(KEPT[name], text);
  const keep = () => {
    for (const [name, path] of Object.entries(KEPT)) {
      const now = FS.analyzePath(path).exists ? FS.readFile(path, { encoding: "utf8" }) : null;
      if (now !== null && now !== before[name]) postMessage({ kept: [name, (before[name] = now)] });
    }
  };
  const send = (json, buffers) => {
    const copies = buffers.toJs();
    postMessage({ messages: JSON.parse(json).map((one, k) => [...one, copies[k]]) }, copies.flat().map((b) => b.buffer));
  };
  const page = pyodide.pyimport("coursekit.explorers.live").Page(send, narrow);
  await step("imports");
  let notebook = null;
  const run = (wanted) => {
    notebook ??= pyodide.pyimport("coursekit.explorers.notebook").Notebook(page);
    for (const { id, source, shown } of wanted) {
      postMessage({ begins: { id, shown } });
      postMessage({ ran: { id, shown, ok: notebook.run(id, source, shown) } });
    }
    keep();
  };
  onmessage = ({ data: { run: wanted, number, comm, data, buffers } }) => {
    if (wanted) return run(wanted);
    try { page.receive(comm, data, buffers); } catch (error) { postMessage({ failed: String(error) }); }
    postMessage({ idle: number });
    keep();
  };
  for (const { id, source } of cells) {
    try { postMessage({ cell: id, model: page.run(source) }); } catch (error) { postMessage({ cell: id, failed: String(error) }); }
    await new Promise((resolve) => setTimeout(resolve));  // a reader may already move a slider
  }
  postMessage({ done: true, loaded: performance.getEntriesByType("resource").map(({ name }) => name) });
}

start().catch((error) => postMessage({ dead: true, failed: String(error.stack ?? error) }));
