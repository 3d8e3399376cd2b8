// In the head of every page, and of the lab. First: what a reader did here is kept under a name of this site's own, apart
// from others' on the same host; and one line tells what is to be told.
window.coursekit = (() => {
  const own = document.currentScript;
  const site = new URL(".", own.src);
  document.documentElement.classList.add("ck-scripts"); // hides the sentence of a page whose scripts do not run

  const named = (name) => `${name} ${site.pathname}`;
  const memory = {}; // what a browser has no room for
  const kept = (name) => {
    try {
      const before = localStorage.getItem(name); // of a time when all sites had one name
      if (before !== null && localStorage.getItem(named(name)) === null) localStorage.setItem(named(name), before);
      localStorage.removeItem(name);
      return memory[name] ?? localStorage.getItem(named(name));
    } catch { return memory[name] ?? null; }
  };
  const keep = (name, text) => {
    try {
      localStorage.setItem(named(name), text);
      delete memory[name];
    } catch { memory[name] = text; }
  };

  const line = Object.assign(document.createElement("p"), { className: "ck-status" });
  line.setAttribute("role", "status");
  const say = (...parts) => {
    if (document.body) document.body.append(line);
    else addEventListener("DOMContentLoaded", () => document.body.append(line));
    line.textContent = ""; // in words of browsers that are too old for the rest
    line.append(...parts);
  };
  const made = (name, props, ...inside) => {
    const element = Object.assign(document.createElement(name), props);
    element.append(...inside);
    return element;
  };
  const anew = () => made("a", { href: "" }, "Load the page again");
  const done = () => { // the predictions that were answered, and the tasks that are solved
    const read = (name) => { try { return JSON.parse(kept(name)) ?? {}; } catch { return {}; } };
    return { predictions: Object.keys(read("coursekit-predictions")), tasks: read("coursekit-progress").passed ?? [] };
  };
  return { own, site, named, kept, keep, line, say, made, anew, done, dead: false, started: false };
})();
