// In place of Pyodide's large script, which comes compressed.
const answer = await fetch(new URL("pyodide.asm.bin", import.meta.url));
const script = await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).blob();
const { default: create } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
export default create;
