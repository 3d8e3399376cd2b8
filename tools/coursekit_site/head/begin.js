
// Third: Python begins to start, in a worker, once the page can be seen; in the lab its kernel is listened to. It is no
// module: in a sandboxed frame, and from a file, a browser runs none.
{
  const page = coursekit;
  const { own, site, cannot, compile, old, made, anew, say } = page;
  const { worker: starts = "", lab } = own.dataset;
  page.python = () => { // a worker, whose failure is told even when nobody listens yet
    const ours = navigator.serviceWorker?.controller?.scriptURL.includes("/kept.js?");
    const name = lab === undefined ? (ours ? "kept" : "") : "trial";
    const worker = new Worker(new URL(starts, site), { type: "module", name });
    worker.addEventListener("error", ({ message }) => cannot(message));
    return worker;
  };
  const blob = () => { // as widgets come: without it, none would stand where a still stood
    const url = URL.createObjectURL(new Blob([""], { type: "text/javascript" }));
    import(url).catch((error) => cannot(`${error}`)).finally(() => URL.revokeObjectURL(url));
  };
  const missing = (...places) => { // of what comes in this order, the first that is not here
    const came = performance.getEntriesByType("resource").map(({ name }) => name.split("?")[0]);
    return places.map((place) => new URL(place, site)).find(({ origin, pathname }) => !came.includes(origin + pathname))?.pathname;
  };
  const safely = (act) => { try { return act(); } catch (error) { return cannot(`${error}`); } };

  if (lab !== undefined) {
    const waits = (what, part) => {
      if (page.dead) return;
      say(`${what} hasn't loaded yet: ${part || "what it needs"} is on its way, or no data is arriving. `, anew());
    };
    setTimeout(() => { // until its first scripts are here, it shows nothing
      if (document.querySelector("#main")) return;
      waits("The lab", missing("config-utils.js", document.querySelector("#jupyter-lite-main").href));
    }, 15_000);
    const kernel = (part) => { if (!page.started) waits("The lab's Python", part); };
    const watched = () => {
      setTimeout(() => page.mended().catch(console.info), 8_000);
      setTimeout(() => { if (page.asked && missing(page.asked)) kernel(page.asked); }, 16_000); // not what only waits behind it
      setTimeout(kernel, 60_000);
    };
    // JupyterLite's kernel says nothing when it fails: its worker is listened to from its making.
    const First = Worker;
    window.Worker = class extends First {
      constructor(...given) {
        try { super(...given); } catch (error) { cannot(`${error}`); throw error; }
        if (!page.dead) say();
        this.addEventListener("error", ({ message }) => cannot(message));
        this.addEventListener("message", ({ data }) => {
          if (!this.first || data?.id !== this.first) return;
          if (data.name === "throw") cannot(data.value.value?.message);
          else if (!page.started) {
            page.started = true;
            if (!page.dead) say();
          }
        });
      }
      postMessage(data, ...more) {
        if (data?.path?.[0] === "initialize") {
          this.first = data.id;
          if (!page.started) watched();
        }
        super.postMessage(data, ...more);
      }
    };
    if (typeof WebAssembly !== "object" || old()) cannot();
    else safely(compile);
    safely(blob);
    safely(() => document.head.append(made("script", { textContent: ";" }))); // theirs came before we listened
    if (starts) safely(() => page.python());
  } else if (location.search === "?print") page.dead = true; // made for paper
  else if (starts) {
    safely(blob);
    // What says all else, and may hang itself.
    const scripts = ["live.js", "manager.js", "cells.js", "lab.js"].map((name) => new URL(name, new URL(starts, site)));
    page.watch = setTimeout(() => cannot(`${missing(...scripts) ?? scripts[0].pathname} did not load`), 20_000);
    if (typeof WebAssembly !== "object" || old()) cannot();
    // Where data or memory are dear, Python starts at the first touch, and no room is kept for it before.
    else if (!navigator.connection?.saveData && !(navigator.deviceMemory < 2)) {
      page.starts = true;
      const start = () => safely(() => { page.early = page.python(); });
      // The first time once the text can be seen; later everything is here, and Python need not wait.
      if (safely(() => navigator.serviceWorker?.controller)) start();
      else requestAnimationFrame(() => setTimeout(start));
    }
  }
  document.documentElement.classList.toggle("ck-starting", Boolean(page.starts));
}
