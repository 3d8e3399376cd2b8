// A line among emails that follows a finger before Python is there: what `hyperplane` shows, over its still. The list that
// it has drawn is drawn again with the line elsewhere, see moving.py. It is put behind the script that draws lists.
const [low, high] = [(a, b) => Math.min(a, b), (a, b) => Math.max(a, b)];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1], plus = (a, k, b) => [a[0] + k * b[0], a[1] + k * b[1]];
const right = ([a, b]) => [b, -a], clip = (x, from, to) => high(from, low(x, to));
const normal = (angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
const direction = ([a, b]) => (Math.atan2(b, a) * 180) / Math.PI;

// The numbers of the explorer: where its arrow stands, and how far it can go. It has the same names for them.
function geometry({ low: from, high: to, aside }, now) {
  const tall = to[1] - from[1], middle = [0, 1].map((k) => (from[k] + to[k]) / 2);
  const reach = (length, room = Infinity) => clip(low(length, room), 0.12 * tall, 0.45 * tall);
  const frame = (n, edge) => {
    const beside = plus(middle, aside, right(n)), ends = [0, 1].map((k) => [from[k], to[k]].map((end, i) => (
      (end + (i ? -edge : edge) * (to[k] - from[k]) - beside[k]) / n[k])).sort((a, b) => a - b));
    return [high(ends[0][0], ends[1][0]), low(ends[0][1], ends[1][1])];
  };
  const seen = (angle, shift) => {
    const n = normal(angle), home = dot(n, middle), [nearest, farthest] = frame(n, 0.04);
    return clip(Math.round(100 * (home + clip(shift - home, nearest, farthest - reach(0)))) / 100, -5, 5);
  };
  const arrow = () => {
    const n = normal(now.angle), away = dot(middle, n) - now.shift, tail = plus(plus(middle, aside, right(n)), -away, n);
    return { n, tail, tip: plus(tail, reach(now.length, frame(n, 0.01)[1] + away), n) };
  };
  const turned = (at, { away, side }) => {
    const out = plus(at, -1, middle);
    let along = side * Math.sqrt(high(dot(out, out) - aside ** 2, 0)), length = along - away;
    if (!(reach(0) < length && length < reach(Infinity))) [length, along] = [now.length, away + reach(now.length)];
    const angle = Math.round(((direction(out) + direction([along, aside]) + 540) % 360) - 180);
    return { angle, shift: seen(angle, away + dot(normal(angle), middle)), length: Math.round(10 * clip(length, 0.1, 10)) / 10 };
  };
  const grasp = () => {
    const away = now.shift - dot(normal(now.angle), middle);
    return { away, side: away + reach(now.length) < 0 ? -1 : 1, from: now.shift };
  };
  return { seen, arrow, turned, grasp };
}

// The frame as it is for the line of now, and how many emails are wrong.
function drawnFor(now, first, frame, { low: from, high: to, box, point, digits }, { X, y }, moved) {
  const { n, tail, tip } = now.arrow(), across = right(n), far = 3 * (to[0] - from[0]), unit = (box[2] - box[0]) / (to[0] - from[0]);
  const pixel = ([a, b]) => [box[0] + unit * (a - from[0]), box[3] - unit * (b - from[1])];
  const score = X.map((x) => dot(x, n) - now.shift), bad = score.map((f, i) => y[i] * f < 1e-12), wrong = bad.filter(Boolean).length;
  const feet = X.map((_, i) => plus(plus(tail, score[i], n), (9 * point * y[i]) / unit, across));
  const [line, way] = [[far, -far].map((k) => plus(plus([0, 0], now.shift, n), k, across)),
    [Math.min(...score) - (16 * point) / unit, Math.max(...score) + (16 * point) / unit].map((k) => plus(tail, k, n))];
  const side = (sign) => [...line, ...[1, 0].map((k) => plus(line[k], 2 * sign * far, n)), line[0]];
  const of = (places, label, fails) => places.filter((_, i) => y[i] === label && bad[i] === fails);
  const places = { side0: side(-1), side1: side(1), line0: line, way0: way, ends0: [tail, tip], rays0: X.flatMap((x, i) => [x, feet[i]]),
    wrong0: of(X, -1, true), wrong1: of(X, 1, true), feet0: of(feet, -1, false), feet1: of(feet, 1, false),
    feet2: of(feet, -1, true), feet3: of(feet, 1, true) };
  const turn = (at) => { // with the arrow: what was near an end of it still is
    const was = [(at[0] - box[0]) / unit + from[0], (box[3] - at[1]) / unit + from[1]];
    const [out, beyond] = [first.tail, first.tip].map((end) => plus(was, -1, end)), tips = dot(beyond, beyond) < dot(out, out);
    const off = tips ? beyond : out;
    return pixel(plus(plus(tips ? tip : tail, dot(off, first.n), n), dot(off, right(first.n)), across));
  };
  const busy = [...X, ...feet, tail, tip].map(pixel), half = 48;
  const deepest = (sign) => [0.13, 0.3, 0.5, 0.7, 0.87].flatMap((a) => [0.06, 0.28, 0.5, 0.72, 0.94].map((b) => (
    [from[0] + a * (to[0] - from[0]), from[1] + b * (to[1] - from[1])])))
    .filter((x) => sign * (dot(x, n) - now.shift) > 0).sort((a, b) => sign * dot(plus(b, -1, a), n)).map(pixel)
    .find(([a, b]) => busy.every(([u, v]) => Math.abs(u - a) > half || Math.abs(v - b) > 18));
  const owner = frame.ops.map(() => ["", 0]);
  for (const [name, [[begin, end]]] of Object.entries(frame.groups)) for (let k = begin; k < end; k++) owner[k] = [name, k - begin];
  const ops = frame.ops.flatMap((op, k) => {
    const [name, nth] = owner[k], p = [...op[AT]], put = (at, more = op[MORE]) => [[...op.slice(0, AT), Float32Array.from(at), more]];
    if (name in places) {
      const at = places[name].flatMap(pixel);
      if (nth || !at.length) return [];
      return op[0] === MARKS ? put(at.map(Math.round)) : put(at, name === "rays0" ? "AB".repeat(X.length) : op[MORE]);
    }
    if (name === "theta0") return put(p.flatMap((x, i) => (i % 2 ? [] : turn([x, p[i + 1]]))));
    if (name === "count0") {
      const [count, gone] = [[...`${wrong}`.padStart(2, "0")].map((digit) => frame.glyphs.length + Number(digit)), wrong < 10 ? 1 : 0];
      return put([...p.slice(0, 4), ...p.slice(4 + 4 * gone)], [...count, ...op[MORE].slice(2)].slice(gone));
    }
    if (name !== "names0" || !moved) return [op];
    const at = op[0] === WORDS && nth && deepest(nth === 1 ? -1 : 1); // the shadows' own name would be in the way
    return at ? put([at[0] - half + 12, at[1] + 5, ...p.slice(2)]) : [];
  });
  return { wrong, list: { ...frame, ops, glyphs: [...frame.glyphs, ...digits] } };
}

async function byHand(still, told) {
  const image = still.querySelector("img"), sentence = still.querySelector(".ck-sentence");
  const shown = matchMedia(still.querySelector("source")?.media ?? "not all").matches ? told.narrow : told.wide;
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const [ground, frame] = await Promise.all(shown.lists.map(({ list, at }) => unpacked({ list, at: bytes(at), images: {} })));
  const letters = new Map(Object.entries(told.glyphs).map(([name, shape]) => [name, new Path2D(shape)]));
  const now = { angle: told.angle, shift: told.shift, length: told.length };
  const { seen, arrow, turned, grasp } = geometry(shown, now), first = arrow();
  let [held, moved, due, known] = [null, false, 0, ""];
  const under = document.createElement("canvas");
  const canvas = Object.assign(document.createElement("canvas"), { className: "ck-hand" });
  const paint = () => {
    due = 0;
    if (!image.clientWidth) return; // the explorer has its place
    const { wrong, list } = drawnFor({ ...now, arrow }, first, frame, shown, told, moved), c = canvas.getContext("2d");
    const theme = getComputedStyle(still).color.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 382 ? 1 : 0;
    const { offsetLeft, offsetTop, clientWidth, clientHeight } = image, width = Math.round(clientWidth * devicePixelRatio);
    const scale = width / frame.size[0];
    canvas.style.cssText = `left: ${offsetLeft}px; top: ${offsetTop}px; width: ${clientWidth}px; height: ${clientHeight}px`;
    const on = (context, one) => {
      context.setTransform(scale, 0, 0, scale, 0, 0);
      replay(context, one, (glyph) => letters.get(glyph), scale, theme, "");
    };
    if (known !== (known = `${width} ${theme}`)) {
      for (const one of [under, canvas]) [one.width, one.height] = [width, Math.round(scale * frame.size[1])];
      on(under.getContext("2d"), ground);
    }
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(under, 0, 0);
    on(c, list);
    sentence.textContent = image.alt = image.alt.replace(/\d+ of (\d+ \w+ wrong)( \(hollow\))?/, (_, of) => `${wrong} of ${of}${wrong ? " (hollow)" : ""}`);
    for (const [name, slider] of sliders) {
      slider.value = slider.previousElementSibling.textContent = now[name];
      slider.ariaValueText = `${now[name]}: ${wrong} of ${told.y.length} wrong`;
    }
  };
  const set = (changes) => {
    Object.assign(now, changes);
    moved = true;
    due ||= requestAnimationFrame(paint);
  };
  const sliders = [["angle", -180, 180, 1], ["shift", -5, 5, 0.05]].map(([name, min, max, step], k) => {
    const slider = Object.assign(document.createElement("input"), { type: "range", min, max, step, ariaLabel: name });
    slider.oninput = () => set({ [name]: Number(slider.value) });
    slider.onpointerdown = () => { held = {}; };
    slider.onpointerup = slider.onpointercancel = () => { held = null; };
    const label = Object.assign(document.createElement("label"), { textContent: `${name} ` });
    label.append(document.createElement("output"), slider);
    still.querySelectorAll(".ck-strip > i")[k].append(label);
    return [name, slider];
  });
  still.querySelector(".ck-strip").removeAttribute("aria-hidden");

  const at = ({ clientX, clientY }) => {
    const { left, top, width } = canvas.getBoundingClientRect(), size = frame.size[0] / width, { box, low: from, high: to } = shown;
    const unit = (box[2] - box[0]) / (to[0] - from[0]);
    return { place: [from[0] + ((clientX - left) * size - box[0]) / unit, from[1] + (box[3] - (clientY - top) * size) / unit], unit, size };
  };
  const end = (event, finger) => { // of the arrow, that a press takes hold of
    const { place, unit, size } = at(event), ends = arrow();
    return ["tip", "tail"].find((name) => unit * Math.hypot(...plus(place, -1, ends[name])) <= high(24, finger ? 22 * size : 0));
  };
  canvas.onpointerdown = (event) => {
    const what = end(event, event.pointerType !== "mouse") ?? (event.pointerType === "mouse" ? "line" : null);
    if (!what || event.button || !event.isPrimary) return;
    canvas.setPointerCapture(event.pointerId);
    held = { what, start: at(event).place, ...grasp() };
  };
  canvas.onpointermove = (event) => {
    if (!held) return canvas.classList.toggle("ck-grip", Boolean(end(event, false)));
    const { place } = at(event);
    set(held.what === "tip" ? turned(place, held)
      : { shift: seen(now.angle, held.from + dot(normal(now.angle), plus(place, -1, held.start))) });
  };
  canvas.onpointerup = canvas.onpointercancel = () => { held = null; };
  canvas.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && end(event.touches[0], true)) event.preventDefault(); // or the page would scroll
  }, { passive: false });
  image.after(canvas);
  new ResizeObserver(paint).observe(image);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);

  // Python is there: what was made of the line is told to the explorer before it takes the still's place.
  still.taken = async (place) => {
    const frames = () => new Promise(requestAnimationFrame), ours = () => `angle=${now.angle}&shift=${now.shift}&length=${now.length}`;
    for (let known = ""; moved && known !== ours();) {
      while (held) await frames();
      window.ckWords.get(place.querySelector(".ck-stage")).send((known = ours()));
      for (let k = 0; k < 120 && place.querySelector(".ck-sentence").textContent !== sentence.textContent; k++) await frames();
      await frames();
    }
  };
}

for (const data of location.search === "?print" ? [] : document.querySelectorAll(".ck-still > .ck-moving")) {
  byHand(data.parentElement, JSON.parse(data.textContent)).catch(console.warn);
}
