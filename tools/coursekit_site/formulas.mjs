// node formulas.mjs MATHJAX < BODIES: draws the formulas of pages. In: a list of their bodies; out: the same with formulas
// drawn, and what belongs in the head of each.
import { createRequire } from "node:module";
import { json } from "node:stream/consumers";

const mathjax = process.argv[2];
const { startup, _ } = await createRequire(import.meta.url)(`${mathjax}/node-main.js`).init({
  loader: { load: ["input/tex", "output/svg", "adaptors/liteDOM", "a11y/assistive-mml"], paths: { mathjax } },
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]] },
  svg: { fontCache: "global" }, // each letter is drawn once a page
  startup: { typeset: false },
});
await startup.promise;

// Without what no browser needs: it is a third of all that is drawn.
function slim(drawn) {
  let before = "";
  let after = drawn
    .replace(/ (data-[\w-]+|xmlns(:xlink)?|class|focusable|role|unselectable)="[^"]*"/g, "")
    .replace(' style="position: relative;"', "") // as style.css says, and colors, too
    .replaceAll(' stroke="currentColor" fill="currentColor" stroke-width="0"', "")
    .replaceAll("xlink:href", "href");
  while (after !== before) {
    before = after;
    after = after
      .replace(/<g( transform="[^"]*")?><\/g>/g, "")
      .replace(/<g>((<(use|rect)[^>]*><\/\3>)*)<\/g>/g, "$1")
      .replace(/<g transform="translate\(([-.\d]+),0\)"><use href="([^"]*)"><\/use><\/g>/g, '<use x="$1" href="$2"></use>');
  }
  return after.replace(/><\/(use|rect)>/g, "/>");
}

const { adaptor, output } = startup;
const parts = { head: "", bodies: [] };
for (const body of await json(process.stdin)) {
  output.clearFontCache();
  const page = startup.getDocument(body);
  await _.mathjax.mathjax.handleRetriesFor(() => page.render());
  parts.head ||= adaptor.innerHTML(adaptor.head(page.document)); // one style sheet, which it writes once
  const names = new Map(); // of the letters, shorter
  const short = (name) => names.get(name) ?? names.set(name, `g${names.size}`).get(name);
  parts.bodies.push(adaptor.innerHTML(adaptor.body(page.document))
    .replace(/<mjx-container.*?<\/mjx-container>/gs, slim)
    .replace(/(?<=(id|href)="#?)MJX-(?!SVG)[^"]*/g, short));
}
process.stdout.write(JSON.stringify(parts));
