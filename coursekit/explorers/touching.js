// Words of the text that touch the picture: [drag lambda to 0.1](#lam=0.1), also (#lam=0.1&k=40), (#preset=NAME), (#step),
// (#play) and (#reset). They go to the explorer that is nearest above in the page, or else to the first below.
// [margin](#light=margin) draws all paler but the artists of this group id, while it is pointed at, has the focus or was tapped.
const TOUCHES = 'a[href^="#"]:is([href*="="], [href="#step"], [href="#play"], [href="#reset"])';

// stage: of an explorer. act: its send(word) and light(name). Returns what forgets it. All share one listener on the page.
function words(stage, act) {
  window.ckWords ??= listening();
  window.ckWords.set(stage, act);
  return () => window.ckWords.delete(stage);
}

function listening() {
  const known = new Map(); // actions by stage
  const after = (a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
  const nearest = (link) => { // what a prediction shows comes and goes
    const there = [...known.keys()].filter((one) => one.isConnected && one.closest(".ck-whole") && !one.closest(".ck-prediction"));
    there.sort((a, b) => (after(a, b) ? -1 : 1));
    return there.filter((stage) => after(stage, link)).at(-1) ?? there[0];
  };
  const link = (event) => event.target.closest?.(TOUCHES);
  const word = (link) => decodeURIComponent(link.getAttribute("href").slice(1));
  let lit = null;
  const light = (link) => {
    const name = link && word(link).match(/^light=(.+)/)?.[1];
    lit?.light("");
    lit = name ? known.get(nearest(link)) : null;
    lit?.light(name);
  };
  const when = (mouse, on) => (event) => { if (!mouse || event.pointerType === "mouse") light(on && link(event)); };
  for (const [type, ...how] of [["pointerover", true, true], ["pointerout", true, false], ["focusin", false, true],
    ["focusout", false, false]]) document.addEventListener(type, when(...how));
  document.addEventListener("click", (event) => {
    const pressed = link(event), stage = pressed && nearest(pressed);
    if (!stage) return light(null);
    event.preventDefault();
    event.stopPropagation();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    if (word(pressed).startsWith("light=")) return light(pressed);
    known.get(stage).send(word(pressed));
  }, true);
  return known;
}
