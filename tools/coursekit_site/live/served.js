// Goes before Pyodide's own script, in the pages' worker as in the lab's kernel. Where a browser or a server keeps Python
// from starting, Pyodide waits for ever; here the cause becomes an error of the worker.
const HERE = new URL(".", import.meta.url).href;
const asked = globalThis.fetch;
const refused = (why) => {
  const error = why instanceof Error ? why : new Error(why);
  globalThis.reportError(error);
  throw error;
};

if (globalThis.name === "trial") globalThis.close(); // of the lab, which wants to know early
try { new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); } catch (error) { refused(error); }

globalThis.fetch = async (what, options) => {
  const { href, pathname } = new URL(what.url ?? what, location);
  if (!href.startsWith(HERE)) return asked(what, options);
  let whole = true;
  const again = () => { whole = !options?.integrity; return asked(what); };
  const answer = await asked(what, options).catch(again).catch(() => refused(`${pathname} did not come`));
  if (!answer.ok) refused(`the server answers ${answer.status} for ${pathname}`);
  if (/html/.test(answer.headers.get("content-type"))) refused(`the server sends a page in place of ${pathname}`);
  if (!whole) refused(`${pathname} is not as it was built`);
  return answer;
};

// A browser compiles while it loads only what comes as application/wasm, a type that some servers do not know.
const streamed = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = async (coming, imports) => {
  const answer = await coming;
  const typed = answer.headers.get("content-type") === "application/wasm";
  const whole = typed ? answer : new Response(answer.body, { headers: { "content-type": "application/wasm" } });
  return streamed(whole, imports).catch((error) => refused(`${new URL(answer.url).pathname} is not as it was built (${error.message})`));
};
