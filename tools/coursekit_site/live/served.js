// Goes before Pyodide's own script, in the pages' worker as in the lab's kernel. Where a browser or a server keeps Python
// from starting, Pyodide waits for ever; here the cause becomes an error of the worker.
const HERE = new URL(".", import.meta.url).href;
const PROGRAM = "pyodide.wasm.bin";
const RENAMED = { "pyodide.asm.wasm": PROGRAM, "library.zip": "library.bin", "python_stdlib.zip": "python_stdlib.bin" };
const asked = globalThis.fetch;
const refused = (why) => {
  const error = why instanceof Error ? why : new Error(why);
  if (!globalThis.moves) globalThis.reportError(error); // else it is told where pictures move already
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
  let left = 1; // zero at the end of what was packed, and only there
  const damaged = () => { throw new Error("damaged"); };
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
        if (left < 0) damaged();
        to.enqueue(new Uint8Array(zstd.memory.buffer).slice(made, made + done(given)));
      } while (done(taken) < part.length || (left && done(given) === room)); // once more at the end would begin anew
      zstd.free(from);
    },
    flush() { if (left) damaged(); },
  });
}

// What a server falls silent about is broken off, too.
const heard = (coming) => new Promise((resolve, reject) => {
  const late = setTimeout(reject, 15_000);
  coming.then(resolve, reject).finally(() => clearTimeout(late));
});

// The bytes of an answer, of which `part` is told. Where the line breaks, it is asked for the others, for most of a minute.
function lasting(answer, url, part) {
  let [reader, at, skip, tries, unwanted] = [answer.body.getReader(), 0, 0, 0, false];
  const again = async () => {
    reader.cancel().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const next = await heard(asked(url, { headers: { Range: `bytes=${at}-` } }));
    if (!next.ok) throw new Error(`${next.status}`);
    skip = next.status === 206 ? 0 : at; // some servers begin anew
    reader = next.body.getReader();
  };
  return new ReadableStream({
    cancel() {
      unwanted = true;
      return reader.cancel();
    },
    async pull(to) {
      for (let broken = false; ;) {
        try {
          if (broken) await again();
          broken = false;
          const { done, value } = await heard(reader.read());
          if (done) return to.close();
          const fresh = value.subarray(Math.min(skip, value.length));
          skip -= value.length - fresh.length;
          if (!fresh.length) continue;
          [at, tries] = [at + fresh.length, 0];
          part.here += fresh.length;
          globalThis.came?.(fresh.length);
          return to.enqueue(fresh);
        } catch {
          broken = true;
          if (!unwanted && ++tries <= 25) continue;
          if (!unwanted) part.told = `${url.pathname} did not load`;
          throw new Error(part.told);
        }
      }
    },
  });
}

// A part of Python, unpacked. Each has a checksum of its own; with that of a request, nothing would come before all has.
function come(place, options, made = (coming) => coming) {
  const name = place.pathname.split("/").at(-1), packed = name.endsWith(".bin");
  const part = { here: 0 }; // and why it fails, of which a browser says little
  const take = async (answer, type) => {
    if (!packed && !globalThis.came) return answer;
    const undone = !packed ? new TransformStream() : name === DECODER ? new DecompressionStream("gzip") : await unpacking();
    const headers = { "content-type": name === PROGRAM ? "application/wasm" : type ?? "" };
    const coming = new Response(lasting(answer, place, part).pipeThrough(undone), { headers });
    if (name === PROGRAM) return made(coming);
    return new Response(await coming.arrayBuffer().catch(() => { throw part; }), { headers });
  };
  const again = () => globalThis.again?.(part.here);
  return whole(place, take, { ...(packed ? { caches: options?.caches } : options), again }).catch(refused);
}
globalThis.fetch = async (what, options) => {
  const wanted = new URL(what.url ?? what, location), name = wanted.pathname.split("/").at(-1);
  if (!wanted.href.startsWith(HERE)) return asked(what, options);
  const kept = await globalThis.kept?.(name).catch(() => null);
  return kept ?? come(new URL(RENAMED[name] ?? wanted, HERE), options);
};

// The program is compiled while it comes. Where that fails, Pyodide would wait for ever.
const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = (answer, imports) => instantiateStreaming(answer, imports).catch((error) => {
  console.info(error.message);
  globalThis.again?.(0);
  return come(new URL(PROGRAM, HERE), { caches: ["reload"] }, (coming) => instantiateStreaming(coming, imports));
});
