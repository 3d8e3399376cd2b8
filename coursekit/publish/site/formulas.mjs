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
const { adaptor, output } = startup;
const parts = { head: "", bodies: [] };
for (const body of await json(process.stdin)) {
  output.clearFontCache();
  const page = startup.getDocument(body);
  await _.mathjax.mathjax.handleRetriesFor(() => page.render());
  parts.head ||= adaptor.innerHTML(adaptor.head(page.document)); // one style sheet, which it writes once
  const drawn = adaptor.innerHTML(adaptor.body(page.document));
  parts.bodies.push(drawn.replace(/ (data-(c|mml-node)|xmlns(:xlink)?)="[^"]*"/g, "")); // which no browser needs
}
process.stdout.write(JSON.stringify(parts));
