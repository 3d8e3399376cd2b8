// The pages of a lecture: that of the hall, with the kernel's page inside, and that of the speaker. The server says where
// the lecture stands; a page shows it, and asks for another step. The address of the hall's page is a link to what it shows.
const view = document.body.dataset.view;
const hall = view === "hall";
const $ = (selector) => document.querySelector(selector);
const make = (parent, tag, text = "", more = {}) => {
  const node = parent.appendChild(document.createElement(tag));
  node.textContent = text;
  return Object.assign(node, more);
};
const LETTERS = "ABCDEFGHIJ";
let [line, order, now, made, skew, alive] = [null, null, null, {}, 0, false];

// The line to the server. When it breaks, the page says so and tries again.
function connect() {
  line = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/line?view=${view}`);
  line.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    if (told.hello) return begin(told.hello);
    if (told.refused) return refuse(told.refused);
    now = told;
    skew = Date.now() / 1000 - told.now;
    show();
  };
  line.onopen = () => say("");
  line.onclose = () => {
    say("The lecture's server has stopped. Type its command in the terminal again: this page then goes on at this step by itself.");
    setTimeout(connect, 1000);
  };
}
const send = (message) => line.readyState === WebSocket.OPEN && line.send(JSON.stringify(message));
let [said, refused, seen] = ["", "", 0];
function say(text) {
  said = text;
  $("#wait").hidden = !said && !refused;
  $("#wait").textContent = [refused, said].filter(Boolean).join(" ");
}
function refuse(why) { // said for a while, before whatever else there is to say
  refused = `That can't be done: ${why}.`;
  say(said);
  clearTimeout(seen);
  seen = setTimeout(() => { refused = ""; say(said); }, 8000);
}

function begin(hello) {
  const first = !order, anew = order && order.born !== hello.born; // another server has taken the first one's place
  if (anew && order.title !== hello.title) return location.replace(location.pathname);
  order = hello;
  document.title = `${order.title}${hall ? "" : ": speaker"}`;
  const nav = $("nav");
  nav.replaceChildren();
  order.steps.forEach(({ title, minute }, k) => {
    const chip = make(nav, "button", title, { onclick: () => go(k) });
    chip.dataset.number = k + 1;
    if (minute === null) chip.classList.add("aside");
    else if (order.minutes) chip.title = `minute ${minute}`;
  });
  if (hall && (first || anew) && location.hash) follow();
  if (hall && anew) {
    send({ lines: now.asked.lines });
    if (now.started) send({ clock: now.started });
    if (!order.audience && now.votes.total) send({ typed: now.votes.counts });
    open();
  } else if (hall && !first) $("#stage").contentWindow.postMessage({ back: true }, location.origin); // as is Python's line
}

// Keys may be faster than answers: the server counts from where the keys before have led.
const go = (k) => send({ go: k });
const turn = (by) => send({ turn: by });
const flip = (name) => send({ flip: name });
const does = {
  ArrowRight: () => turn(1), PageDown: () => turn(1), " ": () => turn(1), ArrowLeft: () => turn(-1), PageUp: () => turn(-1),
  ArrowDown: () => turn(1), ArrowUp: () => turn(-1), Home: () => go(0),
  b: () => flip("bars"), Enter: () => flip("outcome"), s: () => flip("style"), a: () => order.audience && flip("join"), f: full, l: link,
};
const press = (key) => now && (does[key] ?? does[key.toLowerCase()])?.();
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest("input") && !event.key.startsWith("Page");
  if (typing || (event.target.closest("button, a") && [" ", "Enter"].includes(event.key))) return;
  if (does[event.key] ?? does[event.key.toLowerCase()]) event.preventDefault();
  press(event.key);
});
function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}
function link() {
  const said = (text) => { $("#link").textContent = text; setTimeout(() => { $("#link").textContent = "Link"; }, 2000); };
  navigator.clipboard.writeText(location.href).then(() => said("Copied"), () => said("In the address bar"));
}

// A link: #step=3&style=dark, and what has been moved or shown there.
function address() {
  const { step, style, lines } = now.asked;
  const parts = new URLSearchParams({ step: step + 1 });
  if (style !== "light") parts.set("style", style);
  if (order.steps[step].shows && lines[step]) parts.set("line", lines[step]);
  if (now.bars) parts.set("votes", "shown");
  if (now.outcome) parts.set("outcome", "shown");
  history.replaceState(null, "", `#${parts}`);
}
function follow() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const step = Number(parts.get("step")) - 1;
  if (!(step >= 0 && step < order.steps.length)) return;
  const asks = { go: step, style: parts.get("style") ?? "light" };
  if (order.steps[step].asked !== undefined) Object.assign(asks, { bars: parts.has("votes"), outcome: parts.has("outcome") });
  if (parts.has("line")) asks.line = parts.get("line");
  send(asks);
}
if (hall) window.addEventListener("hashchange", follow);

// What is shown.
function show() {
  if (!order) return;
  const { step, style } = now.asked;
  document.body.dataset.style = style;
  [...$("nav").children].forEach((chip, k) => {
    if ((k === step) === (chip.ariaCurrent === "step")) return;
    chip.ariaCurrent = k === step ? "step" : null;
    if (k === step) chip.scrollIntoView({ block: "nearest", inline: "center" });
  });
  tick();
  $("#phones").hidden = !order.audience;
  $("#phones").ariaPressed = now.join;
  (hall ? showHall : showSpeaker)(order.steps[step], step);
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
function tick() {
  if (!now || !order) return;
  const { steps, minutes } = order;
  const elapsed = now.started ? Date.now() / 1000 - skew - now.started : 0;
  const timed = steps.filter(({ minute }) => minute !== null);
  const begins = steps[now.asked.step].minute;
  const ends = timed[now.asked.step + 1]?.minute ?? minutes;
  const late = Math.floor(elapsed / 60 - ends) + 1;
  const early = Math.ceil(begins - elapsed / 60);
  const how = !now.started || begins === null ? "" : elapsed / 60 > ends ? `${late} min late` : early > 1 ? `${early} min early` : "on time";
  $("#clock").hidden = !minutes;
  $("#clock").textContent = `${clock(elapsed)} of ${minutes}${how && ` · ${how}`}`;
  const should = now.started ? timed.findLastIndex(({ minute }) => minute <= elapsed / 60) : -1;
  [...$("nav").children].forEach((chip, k) => chip.classList.toggle("should", k === should && k !== now.asked.step));
}
setInterval(tick, 1000);
$("#clock").onclick = () => send({ clock: true });
$("#bars").onclick = () => flip("bars");
$("#outcome").onclick = () => flip("outcome");
$("#phones").onclick = () => does.a();
// After a click with a pointer, Enter and Space are again those of the lecture.
window.addEventListener("click", ({ detail, target }) => { if (detail) target.closest("footer button")?.blur(); });

function buttons(step) {
  $("#press").hidden = step.asked === undefined;
  $("#bars").hidden = hall && !order.audience || step.draw;
  $("#bars").textContent = now.bars ? "Hide votes" : "Show votes";
  $("#outcome").textContent = now.outcome ? "Back to the question" : "Show the outcome";
}

let shown = "";
function showHall(step, k) {
  address();
  const isVote = step.asked !== undefined;
  $("#words").hidden = isVote || step.shows;
  $("#vote").hidden = !isVote;
  document.body.classList.toggle("outcome", isVote && now.outcome);
  document.body.classList.toggle("drawing", Boolean(step.draw));
  if (!isVote && !step.shows) {
    $("#words h1").textContent = step.title;
    $("#words p").textContent = step.text;
  }
  if (isVote) {
    const key = `${k} ${order.title}`;
    if (shown !== key) ballot(step);
    shown = key;
    votes(step);
  }
  $("#door").hidden = !now.join;
  if (now.join) door($("#door"), "Join and vote with your phone");
  tellStage();
  waiting(step, k);
}

// Where phones vote.
function door(box, words) {
  box.querySelector("strong").textContent = now.address;
  box.querySelector("span").textContent = words;
  box.querySelector("img").src = now.qr;
}

// A question: what is asked, what can be answered, how many have.
function ballot(step) {
  $("#ballot h1").textContent = step.asked;
  $("#ballot").style.setProperty("--size", 2.05 - Math.min(0.6, step.asked.length / 400)); // a long question is smaller
  const list = $("#ballot ol");
  list.replaceChildren();
  list.classList.toggle("many", step.choices.length > 5);
  step.choices.forEach((choice, i) => {
    const row = make(list, "li");
    make(row, "i");
    make(row, "b", step.slider ? "" : LETTERS[i]);
    make(row, "span", step.slider && step.choices.length <= 5 ? `${choice} ${step.unit}` : choice);
    make(row, "em");
    if (order.audience) return;
    const number = make(row, "input", "", { type: "number", min: 0, value: 0, ariaLabel: `votes for ${choice}` });
    number.onfocus = () => number.select();
    number.oninput = typed;
    make(row, "button", "+1", { ariaLabel: `one more vote for ${choice}`, onclick: () => send({ hand: i }) });
  });
  const table = $("#vote table");
  table.replaceChildren();
  (step.table ?? []).forEach((cells, i) => {
    const row = make(table, "tr");
    cells.forEach((cell, j) => make(row, i && j ? "td" : "th", cell));
  });
}
const typed = () => send({ typed: [...document.querySelectorAll("#ballot input")].map(({ value }) => Math.min(9999, Math.max(0, Math.floor(Number(value))))) });

function votes(step) {
  const { total, counts, open } = now.votes;
  const hands = !order.audience;
  [...$("#ballot ol").children].forEach((row, i) => {
    const count = counts[i] ?? 0;
    row.querySelector("i").style.width = `${(100 * count) / Math.max(1, total)}%`;
    row.querySelector("em").textContent = hands || !counts.length ? (hands && total ? `${Math.round((100 * count) / total)} %` : "") : count;
    row.classList.toggle("right", now.outcome && i === step.right);
    const input = row.querySelector("input");
    if (input && document.activeElement !== input) input.value = count;
  });
  const many = `${total} ${total === 1 ? "vote" : "votes"}`;
  $("#count").textContent = hands ? (step.choices.length ? many : step.marks ? "Click where the hall points." : "Draw in the picture.") : step.draw ? "Draw in the picture." : "";
  $("#join").hidden = hands || step.draw || now.outcome;
  if (!$("#join").hidden) door($("#join"), `${many} · ${open ? "open" : "closed"}`);
  if (!hands && now.outcome && !step.draw) $("#count").textContent = many;
  $("#said").hidden = !now.outcome || step.draw;
  $("#said").replaceChildren();
  if (!$("#said").hidden) {
    make($("#said"), "b", `${step.answer}. `);
    make($("#said"), "span").innerHTML = step.why;
  }
  $("#vote table").hidden = now.outcome || !step.table?.length;
  document.body.classList.toggle("tabled", !$("#vote table").hidden);
  buttons(step);
  fit();
}

// What is more than fits is smaller.
function fit() {
  const [box, table] = [$("#ballot"), $("#vote table")];
  const smaller = (node, fits) => {
    for (let size = 1; size > 0.6; size -= 0.04) {
      node.style.setProperty("--fit", size);
      if (fits()) break;
    }
  };
  smaller(box, () => box.scrollHeight <= box.clientHeight);
  smaller(table, () => table.hidden || table.getBoundingClientRect().right <= innerWidth * 0.985);
}
if (hall) window.addEventListener("resize", fit);

// The kernel's page. It is told what to show, and says how far it is; a kernel that died is started again.
let lastTold = "";
function tellStage() {
  const asked = { ...now.asked, lines: {} }; // the kernel knows where its explorers are
  const text = JSON.stringify(asked);
  if (!alive || text === lastTold) return;
  lastTold = text;
  $("#stage").contentWindow.postMessage({ asked }, location.origin);
}
function open() {
  [alive, made, lastTold] = [false, {}, ""];
  $("#stage").src = "/stage";
  clearTimeout(late);
  late = setTimeout(() => { if (!alive) open(); }, 90_000); // a page that did not come, for whatever reason
}
let [again, moved, late, opened] = [false, 0, 0, []]; // opened: the drawers that were open when Python died
function report(lines) {
  clearTimeout(moved);
  if (now && JSON.stringify(lines) !== JSON.stringify(now.asked.lines)) send({ lines });
}
function lost(lines, drawers) {
  if (!alive) return;
  report(lines); // what was moved just before is not lost
  opened = drawers;
  [alive, made] = [false, {}];
  again = true;
  show();
  setTimeout(open, 300);
}
function waiting(step, k) {
  const wanted = step.looks ? 1 : 0;
  const missing = step.asked !== undefined && now.outcome && !step.draw ? (made[k] ?? 0) < 3 : (made[k] ?? 0) < wanted;
  document.body.classList.toggle("missing", missing);
  if (line.readyState !== WebSocket.OPEN) return;
  if (missing) say(again ? "Python has stopped. It is being started again; the lecture goes on here." : now.outcome ? "Working it out …" : "Getting this step ready …");
  else say("");
  if (!missing && alive && wanted) again = false;
}
if (hall) {
  window.addEventListener("message", ({ origin, source, data }) => {
    if (origin !== location.origin || source !== $("#stage").contentWindow) return;
    if (data.key) return press(data.key);
    if (data.lost) return lost(data.lines, data.lost);
    if (data.ready) {
      alive = true;
      $("#stage").contentWindow.postMessage({ opened }, location.origin);
      tellStage();
    }
    if (data.made) {
      const news = JSON.stringify(data.made) !== JSON.stringify(made);
      made = data.made;
      if (news) send({ made: true });
      clearTimeout(moved);
      moved = setTimeout(report, 300, data.lines);
    }
    if (now) show();
  });
  $("#style").onclick = () => does.s();
  $("#full").onclick = full;
  $("#link").onclick = link;
  open();
}

// The speaker's view: what to say, what is expected, what the hall does not see.
function rich(parent, text) {
  text.split(/(`[^`]+`|\*[^*\n]+\*)/).forEach((part) => {
    if (/^`.*`$/.test(part)) make(parent, "code", part.slice(1, -1).replace("coursekit demo ", ""));
    else if (/^\*[^*]+\*$/.test(part)) make(parent, "em", part.slice(1, -1));
    else parent.append(part);
  });
}
function showSpeaker(step, k) {
  const { steps, notes } = order;
  const after = steps[now.next];
  $("#next").textContent = now.next === k ? "this is the last one" : `next, at ${after.minute}: ${after.title}`;
  buttons(step);
  const article = $("article");
  article.replaceChildren();
  make(article, "h1", `${k + 1} · ${step.title}`);
  if (step.say) rich(make(article, "p", "", { className: "say" }), step.say);
  const note = (name, text) => {
    if (!text) return;
    const p = make(article, "p");
    make(p, "b", `${name} `);
    rich(p, text);
  };
  if (step.asked) note("Asked", step.asked);
  else note("On the screen", step.screen);
  note("Expected", step.expect ?? "");
  if (step.asked && step.choices.length) {
    const { total, counts } = now.votes;
    note("Votes", `${step.choices.map((choice, i) => `${choice}: ${counts[i] ?? 0}`).join(" · ")} (${total}${now.bars || now.outcome || !order.audience ? "" : ", hidden in the hall"})`);
  }
  for (const [answer, why] of step.ideas ?? []) {
    const p = make(article, "p", "", { className: "idea" });
    make(p, "b", `If they say ${answer}: `);
    make(p, "span").innerHTML = why;
  }
  if (step.after) {
    const p = make(article, "p", "", { className: "idea" });
    make(p, "b", "Afterward: ");
    make(p, "span").innerHTML = step.after;
  }
  const rest = make(article, "details");
  rest.open = window.opened ?? true;
  rest.ontoggle = () => { window.opened = rest.open; };
  make(rest, "summary", "The whole lecture");
  const points = make(rest, "ol");
  for (const point of notes.points) rich(make(points, "li"), point.trim());
  for (const [name, key] of [["Ask", "ask"], ["Misconception", "misconception"], ["On the board", "board"], ["Without a projector", "without"]]) {
    if (!notes[key]) continue;
    const p = make(rest, "p");
    make(p, "b", `${name} `);
    rich(p, notes[key].trim());
  }
}
if (!hall) {
  $("#back").onclick = () => turn(-1);
  $("#on").onclick = () => turn(1);
}
connect();
