// Python of a reading page, and the messages between its widgets and the page.
import { loadPyodide } from "../../static/pyodide/pyodide.mjs";

const SITE = "/lib/python3.14/site-packages";
const KEPT = "/home/web/.coursekit-predictions.json";
const at = (path) => new URL(path, import.meta.url).href;
const first = new Promise((resolve) => { onmessage = ({ data }) => resolve(data); });

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

async function unpacked(url, integrity) {
  const response = await fetch(url, { integrity });
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  const tar = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  postMessage({ step: "archive" });
  return [...members(new Uint8Array(tar))];
}

async function start({ cells, integrity, narrow, answers }) {
  const files = unpacked(at("../../static/pyodide/course.tar.gz"), integrity);
  files.catch(() => {});  // it is told where it is awaited
  const pyodide = await loadPyodide({
    indexURL: at("../../static/pyodide/"),
    env: { HOME: "/home/web", JUPYTER_WIDGETS_ECHO: "0", MPLBACKEND: "agg" },
    fsInit: async (FS) => {
      const made = new Set();
      for (const [name, bytes] of await files) {
        const folder = `${SITE}/${name}`.replace(/\/[^/]*$/, "");
        if (!made.has(folder)) FS.mkdirTree(folder);
        made.add(folder);
        FS.writeFile(`${SITE}/${name}`, bytes, { canOwn: true });
      }
      postMessage({ step: "files" });
    },
  });
  postMessage({ step: "python" });
  let kept = answers ?? "";
  if (kept) pyodide.FS.writeFile(KEPT, kept);
  const keep = () => {
    const now = pyodide.FS.analyzePath(KEPT).exists ? pyodide.FS.readFile(KEPT, { encoding: "utf8" }) : "";
    if (now !== kept) postMessage({ answers: (kept = now) });
  };
  const send = (json, buffers) => {
    const copies = buffers.toJs();
    postMessage({ messages: JSON.parse(json).map((one, k) => [...one, copies[k]]) }, copies.flat().map((b) => b.buffer));
  };
  const page = pyodide.pyimport("coursekit.explorers.live").Page(send, narrow);
  postMessage({ step: "imports" });
  onmessage = ({ data: { number, comm, data, buffers } }) => {
    try { page.receive(comm, data, buffers); } catch (error) { postMessage({ failed: String(error) }); }
    postMessage({ idle: number });
    keep();
  };
  for (const { id, source } of cells) {
    try { postMessage({ cell: id, model: page.run(source) }); } catch (error) { postMessage({ cell: id, failed: String(error) }); }
    await new Promise((resolve) => setTimeout(resolve));  // a reader may already move a slider
  }
  postMessage({ done: true });
}

start(await first).catch((error) => postMessage({ dead: true, failed: String(error.stack ?? error) }));
