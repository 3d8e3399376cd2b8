// In place of Pyodide's large script, which comes compressed: served.js has changed what `fetch` gives.
const script = await (await fetch(new URL("pyodide.asm.bin", import.meta.url))).blob();
const { default: create } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
export default create;
