// Goes before Pyodide's own script, in the pages' worker as in the lab's kernel. Where a browser or a server keeps Python
// from starting, Pyodide waits for ever; here the cause becomes an error of the worker.
const HERE = new URL(".", import.meta.url).href;
const COMPRESSED = { "pyodide.asm.wasm": ["pyodide.wasm.bin", "application/wasm"], "library.zip": ["library.bin", "application/zip"] };
const asked = globalThis.fetch;
const refused = (why) => {
  const error = why instanceof Error ? why : new Error(why);
  globalThis.reportError(error);
  throw error;
};

if (globalThis.name === "trial") globalThis.close(); // of the lab, which wants to know early
try { new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); } catch (error) { refused(error); }

globalThis.fetch = async (what, options) => {
  const wanted = new URL(what.url ?? what, location);
  if (!wanted.href.startsWith(HERE)) return asked(what, options);
  const [name, type] = COMPRESSED[wanted.pathname.split("/").at(-1)] ?? [];
  if (name) what = wanted.href = new URL(name, HERE).href;
  const { pathname } = wanted;
  let whole = true;
  const again = () => { whole = !options?.integrity; return asked(what); };
  const answer = await asked(what, options).catch(again).catch(() => refused(`${pathname} did not come`));
  if (!answer.ok) refused(`the server answers ${answer.status} for ${pathname}`);
  if (/html/.test(answer.headers.get("content-type"))) refused(`the server sends a page in place of ${pathname}`);
  if (!whole) refused(`${pathname} is not as it was built`);
  if (!name && !globalThis.came) return answer;
  const { came = () => {} } = globalThis; // is told how many bytes have come
  const told = answer.body.pipeThrough(new TransformStream({ transform: (part, to) => { came(part.length); to.enqueue(part); } }));
  const content = name ? told.pipeThrough(new DecompressionStream("gzip")) : told;
  return new Response(content, { headers: { "content-type": type ?? answer.headers.get("content-type") } });
};

const streamed = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = (coming, imports) => streamed(coming, imports).catch(
  (error) => refused(`${new URL("pyodide.wasm.bin", HERE).pathname} is not as it was built (${error.message})`));
