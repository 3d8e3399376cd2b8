// The lab keeps its notebooks in a database of this browser (JupyterLite, through localforage): what is written on the
// page of an exercise goes there and comes back, and neither writes over the other unless its reader has said so.
const STORE = "files";
const NAME = `JupyterLite Storage - ${new URL("../../", import.meta.url).pathname}`;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = request.onblocked = () => reject(request.error);
});

async function database(make = false) { // null where the lab was never opened
  const request = indexedDB.open(NAME);
  let fresh = false;
  request.onupgradeneeded = () => (make ? request.result.createObjectStore(STORE) : request.transaction.abort(fresh = true));
  const opened = await done(request).catch((error) => { if (!fresh) throw error; });
  if (opened?.objectStoreNames.contains(STORE)) return opened;
  opened?.close();
  return null;
}

async function found(path) { // the lab's copy of a notebook, or null
  const opened = await database();
  if (!opened) return null;
  try { return (await done(opened.transaction(STORE).objectStore(STORE).get(path))) ?? null; } finally { opened.close(); }
}

async function put(path, before, content) { // false where the lab has saved another since `before`
  const now = new Date().toISOString();
  const fresh = { name: path.split("/").at(-1), path, created: now, format: "json", mimetype: "application/x-ipynb+json",
    type: "notebook", writable: true, size: JSON.stringify(content).length };
  const opened = await database(true);
  if (!opened) throw new Error("the lab's database has another form");
  const store = opened.transaction(STORE, "readwrite").objectStore(STORE);
  try {
    if ((await done(store.get(path)))?.last_modified !== before?.last_modified) return false;
    await done(store.put({ ...fresh, ...before, content, last_modified: now }, path));
    return true;
  } finally { opened.close(); }
}

const text = ({ source }) => [source].flat().join("");
const many = (cells) => (cells.length === 1 ? "one cell" : `${cells.length} cells`);

// A notebook with the reader's own text in it.
export function replaced(notebook, { cells, added }) {
  for (const cell of notebook.cells) cell.source = cells[cell.id] ?? cell.source;
  for (const { id, after, source } of added) {
    if (notebook.cells.some((cell) => cell.id === id)) continue;
    const cell = { cell_type: "code", execution_count: null, id, metadata: {}, outputs: [], source };
    notebook.cells.splice(notebook.cells.findIndex((one) => one.id === after) + 1 || notebook.cells.length, 0, cell);
  }
  return notebook;
}

export class Lab { // file: the notebook as it was given out. link: leads to the lab
  constructor(notebook, file, link) {
    Object.assign(this, { notebook, file, path: decodeURIComponent(file.split("/files/")[1]) });
    link.onclick = async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      try { await this.bring(); } catch (error) { console.warn(error); }
      location.assign(link.href);
    };
    this.offer(link).catch(console.warn);
  }
  async both() { // each cell as it was given out, as it is on this page, and as it is in the lab
    const given = await (await fetch(this.file, { cache: "no-cache" })).json();
    const copy = await found(this.path);
    const there = new Map(copy?.content?.cells?.map((cell) => [cell.id, text(cell)]));
    const kept = this.notebook.kept();
    const cells = given.cells.filter((cell) => cell.cell_type === "code").map((cell) => {
      const first = text(cell);
      return { id: cell.id, first, mine: kept.cells[cell.id] ?? first, theirs: there.get(cell.id) ?? first };
    });
    return { given, copy, kept, cells };
  }
  async offer(link) {
    if (!(await found(this.path))) return;
    const { copy, cells } = await this.both();
    const other = cells.filter(({ first, mine, theirs }) => theirs !== first && theirs !== mine);
    if (!other.length) return;
    const own = other.filter(({ first, mine }) => mine !== first);
    const place = document.createElement("p");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "Take it over" });
    place.append(`In the lab you wrote something else in ${many(other)}, last on ${new Date(copy.last_modified).toLocaleString()}. `, button);
    document.querySelector("main").prepend(place);
    button.onclick = () => {
      if (own.length && !confirm(`On this page you wrote something of your own in ${many(own)}. Replace it with what the lab has?`)) return;
      for (const { id, theirs } of other) this.notebook.take(id, theirs);
      place.remove();
    };
  }
  async bring() {
    const { given, copy, kept, cells } = await this.both();
    if (!kept.added.length && !Object.keys(kept.cells).length) return;
    const other = cells.filter(({ first, mine, theirs }) => mine !== first && theirs !== first && theirs !== mine);
    if (other.length && !confirm(`In the lab you wrote something else in ${many(other)}. Replace it there with what this page has?`)) {
      for (const { id } of other) delete kept.cells[id];
    }
    if (!await put(this.path, copy, replaced(copy?.content ?? given, kept))) await this.bring();
  }
}
