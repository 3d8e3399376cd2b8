// node compile.mjs PYODIDE TREE OUT SCRIPT: Pyodide itself is the compiler of its own bytecode.
import { readFileSync } from "node:fs";
const [pyodide, tree, out, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const py = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [name, root] of Object.entries({ tree, out, pyodide })) {
  py.FS.mkdir(`/${name}`);
  py.FS.mount(py.FS.filesystems.NODEFS, { root }, `/${name}`);
}
try {
  py.runPython(readFileSync(script, "utf8"));
  py.globals.get("main")("/tree", "/pyodide/python_stdlib.zip", "/out");
} catch ({ message }) { // without the program around it, which node would print: a megabyte in one line
  console.error(message);
  process.exitCode = 1;
}
