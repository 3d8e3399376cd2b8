
// Second: where Python cannot start, one sentence says so, and why.
{
  const page = coursekit;
  const { own, site, made, anew, say } = page;
  const { worker: starts = "", lab, files = "" } = own.dataset;
  const built = files.split(" ").filter(Boolean).map((file) => new URL(file, site)); // each with its checksum
  const again = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const MISSING = { inline: "'unsafe-inline'", eval: "'unsafe-eval'", "wasm-eval": "'wasm-unsafe-eval'", blob: "blob:" };
  const forbidden = new Set();
  addEventListener("securitypolicyviolation", ({ disposition, effectiveDirective: rule, blockedURI: what }) => {
    const ours = what.startsWith(site.href) || what === "blob" || what === "wasm-eval"
      || (lab !== undefined && (what === "eval" || what === "inline"));
    if (!ours || page.started || disposition === "report" || !/^(script|worker|connect)-src/.test(rule)) return;
    forbidden.add(MISSING[what] ? `${rule} without ${MISSING[what]}` : `${rule} forbids ${new URL(what).pathname}`);
    cannot();
  });
  let begins = true; // until all scripts of the page have run
  addEventListener("DOMContentLoaded", () => { begins = false; });
  addEventListener("error", ({ target, error, filename }) => { // a script that did not load, was none, or is damaged
    if (page.started) return;
    if (target.tagName === "SCRIPT" && target.src.startsWith(site.href)) {
      if (!target.matches("[async], [data-extra]")) cannot(`${new URL(target.src).pathname} did not load`);
    } else if ((begins || error instanceof SyntaxError) && built.some(({ href }) => href.split("#")[0] === filename.split("?")[0])) {
      cannot(`${error}`);
    }
  }, true);

  addEventListener("unhandledrejection", ({ reason: why }) => { // what a browser lacks, or half a file, once Python is there
    if (!page.started && /^(SyntaxError(?!.*JSON)|TypeError: .*(is not a function|imported module))/.test(`${why}`)) cannot(`${why}`);
  });

  // Whether this page was kept too long: the site was renewed, and the scripts of the old one are gone.
  async function outdated() {
    const newest = await (await fetch(location.href, { cache: "reload" })).text();
    const [name, version] = own.getAttribute("src").split("?");
    return newest.includes(`${name}?`) && !(newest.includes(`${name}?${version}`) && newest.includes(starts));
  }

  // Throws where what must come before Python can start does not come as it was built. Returns what came so only at the
  // second request. What it waits for meanwhile is page.asked: where a server has fallen silent, for ever.
  async function mended() {
    let found = "";
    for (const place of built) {
      const { pathname, hash } = place;
      page.asked = pathname;
      await whole(place, async (_answer, type) => {
        if (pathname.endsWith(".js") && !/(java|ecma)script/.test(type)) {
          throw { told: `the server sends ${pathname} as ${type}, and browsers run no script of that type` };
        }
        await fetch(place, { cache: "force-cache", integrity: hash.slice(1) }); // as it has just come
      }, { again: () => { found = pathname; } });
    }
    page.asked = "";
    return found;
  }

  async function reason(why) { // why: what the browser says of it, often nothing. Null: it may be different next time
    if (location.protocol === "file:") return ["browsers run no Python from a file. Any web server can show the site, and so can coursekit site --serve"];
    if (self.origin === "null") {
      const link = made("a", { href: location.href, target: "_blank" }, "Open it in a tab of its own");
      return ["it is in a frame whose sandbox forbids that. ", link];
    }
    const trusted = /'TrustedScript/.test(why) && "require-trusted-types-for 'script'";
    if (trusted || forbidden.size || /Content Security Policy|CSP|unsafe-eval/.test(why)) {
      const rules = [...forbidden].join("; ") || trusted || "script-src without 'wasm-unsafe-eval'";
      return [`the server's policy forbids it (Content-Security-Policy: ${rules})`];
    }
    if (typeof WebAssembly !== "object") return ["this browser has no WebAssembly, or a setting of it forbids it"];
    if (old()) return [`this browser is too old: it has no ${old()}`];
    try {
      const found = await mended();
      if (!again && !page.started && (found || !why || /SyntaxError|imported module|\.js did not load/.test(why))) return null;
      if (found) return [`${found} was not as it was built, and is now. `, anew()];
    } catch ({ message }) { return [message]; }
    const said = why.split("\n")[0].replace(/^(Uncaught )?(\w*Error: )?|\.$/g, "");
    if (/^(Uncaught )?(SyntaxError|(Type|Reference)Error: .*is not (defined|a function|a constructor))/.test(why)) return [`this browser is too old: ${said}`];
    if (/said nothing/.test(said)) return [`${said}. `, anew()];
    const missing = /imported module: (\S+)/.exec(why)?.[1];
    return [missing ? `${missing} did not load` : said || "this browser refused it and did not say why"];
  }

  const old = () => ["DecompressionStream", "ResizeObserver", "IntersectionObserver"].find((name) => !(name in window));
  const compile = () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  async function cannot(why = "") {
    if (page.dead) return;
    page.dead = true;
    page.early?.terminate();
    document.documentElement.classList.remove("ck-starting");
    const python = page.started ? "Python has stopped" : "Python cannot start";
    say(`${python}${/did not load$/.test(why) ? `: ${why}` : ""}.`);
    try { compile(); } catch { /* all that is forbidden is told at once */ }
    await new Promise((resolve) => setTimeout(resolve, 100)); // some browsers tell of their policy after the failure
    const looked = async () => (again || !(await outdated().catch(() => false)) ? reason(why) : null);
    const silence = () => (page.asked ? [`${page.asked} did not load`] : /said nothing/.test(why) ? [`${why}. `, anew()]
      : [why || "the server has fallen silent"]);
    const silent = new Promise((resolve) => setTimeout(() => resolve(silence()), 10_000));
    const because = await Promise.race([looked(), silent]);
    if (!because) return location.reload();
    const place = lab === undefined ? "here: pictures stay still, and cells do not run" : "in this lab: no cell runs";
    say(`${python} ${place}. The reason: `, ...because, ".");
  }
  Object.assign(page, { cannot, compile, mended, old });
}
