// In the head of every page, and of the lab: keeps this site's names apart from others', starts a page's Python, and says
// where Python cannot start, and why. It is no module: in a sandboxed frame, and from a file, a browser runs none.
window.coursekit = (() => {
  const own = document.currentScript;
  const site = new URL(".", own.src);
  const { worker: starts = "", lab, files = "" } = own.dataset;
  const html = document.documentElement;
  html.classList.add("ck-scripts"); // hides the sentence of a page whose scripts do not run

  // What a reader did here, under a name of this site's own: there may be others on the same host.
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
    line.replaceChildren(...parts);
  };

  const MISSING = { inline: "'unsafe-inline'", eval: "'unsafe-eval'", "wasm-eval": "'wasm-unsafe-eval'", blob: "blob:" };
  const forbidden = new Set();
  addEventListener("securitypolicyviolation", ({ disposition, effectiveDirective: rule, blockedURI: what }) => {
    const ours = what.startsWith(site.href) || what === "blob" || what === "wasm-eval"
      || (lab !== undefined && (what === "eval" || (what === "inline" && document.readyState === "loading")));
    if (!ours || page.started || disposition === "report" || !/^(script|worker|connect)-src/.test(rule)) return;
    forbidden.add(MISSING[what] ? `${rule} without ${MISSING[what]}` : `${rule} forbids ${new URL(what).pathname}`);
    cannot();
  });
  addEventListener("error", ({ target }) => { // a script that did not come, or was none
    if (!page.started && target.tagName === "SCRIPT" && target.src.startsWith(site.href)) cannot(`${new URL(target.src).pathname} did not come`);
  }, true);

  // Whether this page was kept too long: the site was renewed, and the scripts of the old one are gone.
  async function outdated() {
    const newest = await (await fetch(location.href, { cache: "reload" })).text();
    const [name, version] = own.getAttribute("src").split("?");
    const again = performance.getEntriesByType("navigation")[0]?.type === "reload";
    return !again && newest.includes(`${name}?`) && !(newest.includes(`${name}?${version}`) && newest.includes(starts));
  }

  async function reason(why) { // why: what the browser says of it, often nothing
    if (location.protocol === "file:") return ["browsers run no Python from a file. Any web server can show the site, and so can coursekit site --serve"];
    if (self.origin === "null") {
      const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", textContent: "Open it in a tab of its own" });
      return ["it is in a frame whose sandbox forbids that. ", link];
    }
    if (forbidden.size || /Content Security Policy|CSP|unsafe-eval/.test(why)) {
      return [`the server's policy forbids it (Content-Security-Policy: ${[...forbidden].join("; ") || "script-src without 'wasm-unsafe-eval'"})`];
    }
    if (typeof WebAssembly !== "object") return ["this browser has no WebAssembly, or a setting of it forbids it"];
    if (typeof DecompressionStream !== "function") return ["this browser is too old"];
    for (const file of files.split(" ").filter(Boolean)) {
      const url = new URL(file, site);
      const answer = await fetch(url).catch(() => null);
      const type = answer?.headers.get("content-type");
      answer?.body?.cancel();
      if (!answer) return [`${url.pathname} did not come`];
      if (!answer.ok) return [`the server answers ${answer.status} for ${url.pathname}`];
      if (!/(java|ecma)script/.test(type)) return [`the server sends ${url.pathname} as ${type}, and browsers run no script of that type`];
    }
    const missing = /imported module: (\S+)/.exec(why)?.[1];
    return [missing ? `${missing} did not come` : why || "this browser refused it and did not say why"];
  }

  const compile = () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const page = { line, say, named, kept, keep, dead: false, started: false };
  async function cannot(why = "") {
    if (page.dead) return;
    page.dead = true;
    page.early?.terminate();
    html.classList.remove("ck-starting");
    const python = page.started ? "Python has stopped" : "Python cannot start";
    say(`${python}.`);
    try { compile(); } catch { /* all that is forbidden is told at once */ }
    await new Promise((resolve) => setTimeout(resolve, 100)); // some browsers tell of their policy after the failure
    if (await outdated().catch(() => false)) return location.reload();
    const said = why.split("\n")[0].replace(/^(Uncaught )?(\w*Error: )?|\.$/g, "");
    const place = lab === undefined ? "here: pictures stay still, and cells do not run" : "in this lab: no cell runs";
    say(`${python} ${place}. The reason: `, ...await reason(said), ".");
  }
  page.cannot = cannot;
  page.python = () => { // a worker, whose failure is told even when nobody listens yet
    const worker = new Worker(new URL(starts, site), { type: "module", name: lab === undefined ? "" : "trial" });
    worker.addEventListener("error", ({ message }) => cannot(message));
    return worker;
  };
  const blob = () => { // as widgets come: without it, none would stand where a still stood
    const url = URL.createObjectURL(new Blob([""], { type: "text/javascript" }));
    import(url).catch((error) => cannot(`${error}`)).finally(() => URL.revokeObjectURL(url));
  };
  const safely = (act) => { try { return act(); } catch (error) { return cannot(`${error}`); } };

  if (lab !== undefined) {
    // JupyterLite's kernel says nothing when it fails: its worker is listened to from its making.
    const First = Worker;
    window.Worker = class extends First {
      constructor(...given) {
        try { super(...given); } catch (error) { cannot(`${error}`); throw error; }
        this.addEventListener("error", ({ message }) => cannot(message));
        this.addEventListener("message", ({ data }) => {
          if (!this.first || data?.id !== this.first) return;
          if (data.name === "throw") cannot(data.value.value?.message);
          else page.started = true;
        });
      }
      postMessage(data, ...more) {
        if (data?.path?.[0] === "initialize") this.first = data.id;
        super.postMessage(data, ...more);
      }
    };
    if (typeof WebAssembly !== "object") cannot();
    else safely(compile);
    safely(blob);
    if (starts) safely(() => page.python());
  } else if (starts) {
    safely(blob);
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") cannot();
    // Where data or memory are dear, Python starts at the first touch, and no room is kept for it before.
    else if (!navigator.connection?.saveData && !(navigator.deviceMemory < 2)) {
      html.classList.add("ck-starting");
      const start = () => safely(() => { page.early = page.python(); });
      // The first time once the text can be seen; later everything is here, and Python need not wait.
      if (safely(() => navigator.serviceWorker?.controller)) start();
      else requestAnimationFrame(() => setTimeout(start));
    }
  }
  return page;
})();
