// node compile.mjs PYODIDE TREE OUT SCRIPT: Pyodide itself is the compiler of its own bytecode.
import { readFileSync } from "node:fs";
const [pyodide, tree, out, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const py = await loadPyodide({ indexURL: `${pyodide}/` });
py.FS.mkdir("/out");
for (const [place, root] of [["/lib/python3.14/site-packages", tree], ["/out", out]]) py.FS.mount(py.FS.filesystems.NODEFS, { root }, place);
try {
  py.runPython(readFileSync(script, "utf8"));
  py.globals.get("main")("/out");
} catch ({ message }) { // without the program around it, which node would print: a megabyte in one line
  console.error(message);
  process.exitCode = 1;
}
