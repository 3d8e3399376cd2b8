// Goes before Pyodide's own script, in the pages' worker as in the lab's kernel. Where a browser or a server keeps Python
// from starting, Pyodide waits for ever; here the cause becomes an error of the worker.
const HERE = new URL(".", import.meta.url).href;
const RENAMED = { "pyodide.asm.wasm": "pyodide.wasm.bin", "library.zip": "library.bin" };
const asked = globalThis.fetch;
const refused = (why) => {
  const error = why instanceof Error ? why : new Error(why);
  globalThis.reportError(error);
  throw error;
};

if (globalThis.name === "trial") globalThis.close(); // of the lab, which wants to know early
try { new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); } catch (error) { refused(error); }

// What ends in .bin comes by Zstandard, which has a quarter less of it than gzip and which no browser undoes for scripts:
// by its own decoder, compiled to WebAssembly, in a memory that goes with the stream. The decoder itself comes by gzip.
const DECODER = "zstd.bin";
let decoder = null;
async function unpacking() {
  decoder ??= fetch(new URL(DECODER, HERE)).then((answer) => answer.arrayBuffer()).then(WebAssembly.compile);
  const { exports: zstd } = await WebAssembly.instantiate(await decoder, { env: { emscripten_notify_memory_growth() {} } });
  const context = zstd.ZSTD_createDCtx(), room = zstd.ZSTD_DStreamOutSize(), made = zstd.malloc(room);
  const [taken, given] = [zstd.malloc(12), zstd.malloc(12)]; // each tells where, of how many bytes, and how many are done
  let left = 0;
  return new TransformStream({
    transform(part, to) {
      const from = zstd.malloc(part.length);
      new Uint8Array(zstd.memory.buffer).set(part, from);
      const tell = (place, ...three) => new Uint32Array(zstd.memory.buffer, place, 3).set(three);
      const done = (place) => new Uint32Array(zstd.memory.buffer, place, 3)[2];
      tell(taken, from, part.length, 0);
      do {
        tell(given, made, room, 0);
        left = zstd.ZSTD_decompressStream(context, given, taken);
        if (left < 0) throw new Error(`Zstandard's error ${-left}`);
        to.enqueue(new Uint8Array(zstd.memory.buffer).slice(made, made + done(given)));
      } while (done(taken) < part.length || done(given) === room);
      zstd.free(from);
    },
    flush() { if (left) throw new Error("it ends too early"); },
  });
}

globalThis.fetch = async (what, options) => {
  const wanted = new URL(what.url ?? what, location);
  if (!wanted.href.startsWith(HERE)) return asked(what, options);
  let name = wanted.pathname.split("/").at(-1);
  if (RENAMED[name]) what = wanted.href = new URL(name = RENAMED[name], HERE).href;
  const { pathname } = wanted;
  const undone = name === DECODER ? new DecompressionStream("gzip") : name.endsWith(".bin") && await unpacking();
  let whole = true;
  const again = () => { whole = !options?.integrity; return asked(what); };
  const answer = await asked(what, options).catch(again).catch(() => refused(`${pathname} did not come`));
  if (!answer.ok) refused(`the server answers ${answer.status} for ${pathname}`);
  if (/html/.test(answer.headers.get("content-type"))) refused(`the server sends a page in place of ${pathname}`);
  if (!whole) refused(`${pathname} is not as it was built`);
  const { came = () => {} } = globalThis; // is told how many bytes have come
  const told = answer.body.pipeThrough(new TransformStream({ transform: (part, to) => { came(part.length); to.enqueue(part); } }));
  const type = name === "pyodide.wasm.bin" ? "application/wasm" : answer.headers.get("content-type") ?? "";
  return new Response(undone ? told.pipeThrough(undone) : told, { headers: { "content-type": type } });
};

const streamed = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = (coming, imports) => streamed(coming, imports).catch(
  (error) => refused(`${new URL("pyodide.wasm.bin", HERE).pathname} is not as it was built (${error.message})`));
