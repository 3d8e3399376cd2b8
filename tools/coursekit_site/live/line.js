// A line among emails before Python is there: where its arrow stands, how far it can go, and its picture. The numbers
// are those of `hyperplane`, as moving.py tells them, and functions have the names that they have there. The list that
// the explorer has drawn is drawn again with the line elsewhere. It is put behind the script that draws lists.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const plus = (a, k, b) => [a[0] + k * b[0], a[1] + k * b[1]];
const minus = (a, b) => plus(a, -1, b);
const right = ([a, b]) => [b, -a];
const clip = (x, [from, to]) => Math.max(from, Math.min(x, to));
const normal = (angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
const direction = ([a, b]) => (Math.atan2(b, a) * 180) / Math.PI;

// low, high: corners of what is seen. aside: how far beside the middle the arrow stands. now: angle, shift and length.
function geometry({ low, high, aside }, { reaches, edges, shifts, lengths }, now) {
  const [wide, tall] = minus(high, low), middle = plus(low, 0.5, [wide, tall]);
  const reach = (length, room = Infinity) => clip(Math.min(length, room), reaches.map((share) => share * tall));

  // Where the way of the arrow enters the frame and leaves it, but for a share of it at each edge.
  function way(n, edge) {
    const beside = plus(middle, aside, right(n));
    const [across, up] = [0, 1].map((k) => {
      const rim = edge * (high[k] - low[k]);
      return [(low[k] + rim - beside[k]) / n[k], (high[k] - rim - beside[k]) / n[k]].sort((a, b) => a - b);
    });
    return [Math.max(across[0], up[0]), Math.min(across[1], up[1])];
  }

  function seen(angle, shift) {
    const n = normal(angle), home = dot(n, middle), [nearest, farthest] = way(n, edges[0]);
    const at = home + clip(shift - home, [nearest, farthest - reach(0)]);
    return clip(Math.round(100 * at) / 100, shifts);
  }

  function arrow() {
    const n = normal(now.angle), away = dot(middle, n) - now.shift;
    const tail = plus(plus(middle, aside, right(n)), -away, n);
    return { n, tail, tip: plus(tail, reach(now.length, way(n, edges[1])[1] + away), n) };
  }

  // The line and the length with which the tip is at a place; `held` as it was taken hold of.
  function turned(at, { away, side }) {
    const out = minus(at, middle);
    let along = side * Math.sqrt(Math.max(dot(out, out) - aside ** 2, 0)), length = along - away;
    if (!(reach(0) < length && length < reach(Infinity))) [length, along] = [now.length, away + reach(now.length)];
    const angle = Math.round(((direction(out) + direction([along, aside]) + 540) % 360) - 180);
    const shift = seen(angle, away + dot(normal(angle), middle));
    return { angle, shift, length: Math.round(10 * clip(length, lengths)) / 10 };
  }

  function grasp() {
    const away = now.shift - dot(normal(now.angle), middle);
    return { away, side: away + reach(now.length) < 0 ? -1 : 1, from: now.shift };
  }
  return { seen, arrow, turned, grasp };
}

// Where the names go, in pixels: of things, beside one of their places, of sides, where these are deepest; each where it
// lies on as few marks and other names as can be. things: their places, and where a name is sought first. widths: of the
// names.
function named({ pixel, things, busy, sides, box }, widths) {
  const taken = [];
  const put = (places, wide) => {
    const price = ([x, y]) => busy.filter(([u, v]) => Math.abs(u - x) < wide / 2 + 10 && Math.abs(v - y) < 18).length
      + 9 * taken.filter((it) => Math.abs(it.x - x) < (wide + it.wide) / 2 + 8 && Math.abs(it.y - y) < 24).length
      + 99 * (x - wide / 2 < box[0] || x + wide / 2 > box[2] || y - 12 < box[1] || y + 12 > box[3]);
    const best = Math.min(...places.map(price)), at = places.find((place) => price(place) === best);
    if (at) taken.push({ x: at[0], y: at[1], wide });
    return at;
  };
  const seen = ([x, y]) => box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3];
  const beside = things.map(([ends, toward], k) => [1, 2].flatMap((far) => (
    [0, 45, -45, 90, -90, 135, -135, 180].flatMap((turn) => ends.map(pixel).filter(seen).map(([x, y]) => {
      const [a, b] = normal(direction(toward) + turn);
      return [x + far * a * (widths[k] / 2 + 12), y - far * b * 22];
    })))));
  return [...beside, ...sides.map((places) => places.map(pixel))].map((places, k) => put(places, widths[k]));
}

// The explorer's list for the line of now, and how many emails are wrong. first: the arrow that it was drawn for.
function drawnFor(now, first, frame, shown, told, moved) {
  const { low, high, box, point, digits } = shown, { X, y } = told, { n, tail, tip } = now.arrow(), across = right(n);
  const unit = (box[2] - box[0]) / (high[0] - low[0]), far = 3 * (high[0] - low[0]);
  const pixel = ([a, b]) => [box[0] + unit * (a - low[0]), box[3] - unit * (b - low[1])];
  const score = X.map((x) => dot(x, n) - now.shift), bad = score.map((f, i) => y[i] * f < 1e-12);
  const wrong = bad.filter(Boolean).length;

  // What belongs to each group of ops, in the units of the axes.
  const feet = score.map((f) => plus(tail, f, n));
  const line = [far, -far].map((k) => plus(plus([0, 0], now.shift, n), k, across));
  const ends = [[Math.min(...score), -1], [Math.max(...score), 1]].map(([end, sign]) => (
    plus(tail, end + (sign * 16 * point) / unit, n)));
  const side = (sign) => [...line, ...[1, 0].map((k) => plus(line[k], 2 * sign * far, n)), line[0]];
  const of = (places, label, fails) => places.filter((_, i) => y[i] === label && bad[i] === fails);
  const places = {
    side0: side(-1), side1: side(1), line0: line, way0: ends, ends0: [tail, tip],
    rays0: X.flatMap((x, i) => [x, feet[i]]),
    wrong0: of(X, -1, true), wrong1: of(X, 1, true),
    feet0: of(feet, -1, false), feet1: of(feet, 1, false), feet2: of(feet, -1, true), feet3: of(feet, 1, true),
  };

  // A corner of the arrow goes with that end of it which it was nearer to.
  const turn = (at) => {
    const was = [(at[0] - box[0]) / unit + low[0], (box[3] - at[1]) / unit + low[1]];
    const [out, beyond] = [minus(was, first.tail), minus(was, first.tip)], tips = dot(beyond, beyond) < dot(out, out);
    const off = tips ? beyond : out;
    return pixel(plus(plus(tips ? tip : tail, dot(off, first.n), n), dot(off, right(first.n)), across));
  };

  const group = (name) => frame.groups[name][0], [begin, end] = group("names0");
  const words = frame.ops.map((_, k) => k).filter((k) => begin <= k && k < end && frame.ops[k][0] === WORDS);
  const width = (p) => p[2] * (p[p.length - 4] + 55); // the last letter is about so wide
  const deepest = (sign) => told.grid.map((shares) => shares.map((share, k) => low[k] + share * (high[k] - low[k])))
    .filter((x) => sign * (dot(x, n) - now.shift) > 0).sort((a, b) => sign * dot(minus(b, a), n));
  const mean = [0, 1].map((k) => X.reduce((sum, x) => sum + x[k], 0) / X.length);
  const emails = [-1, 1].map((label) => X.filter((_, i) => y[i] === label)
    .sort((a, b) => label * dot(minus(b, a), [1, 1])).slice(0, 8)).map((own) => [own, minus(own[0], mean)]);
  const things = [[[tip], n], [[tail], across], ...emails, [ends, across]];
  const shaft = [0, 0.2, 0.4, 0.6, 0.8, 1].map((k) => plus(tail, k, minus(tip, tail)));
  const names = moved ? named({ pixel, things, box, sides: [-1, 1].map(deepest),
    busy: [...X, ...feet, ...shaft].map(pixel) }, words.map((k) => width(frame.ops[k][AT]))) : [];

  const owner = frame.ops.map(() => ["", 0]);
  for (const [name, [[from, to]]] of Object.entries(frame.groups)) {
    for (let k = from; k < to; k++) owner[k] = [name, k - from];
  }
  const ops = frame.ops.flatMap((op, k) => {
    const [name, nth] = owner[k], p = [...op[AT]];
    const put = (at, more = op[MORE]) => [[...op.slice(0, AT), Float32Array.from(at), more]];
    if (name in places) {
      const at = places[name].flatMap(pixel);
      if (nth || !at.length) return [];
      return op[0] === MARKS ? put(at.map(Math.round)) : put(at, name === "rays0" ? "AB".repeat(X.length) : op[MORE]);
    }
    if (name === "theta0") return put(p.flatMap((x, i) => (i % 2 ? [] : turn([x, p[i + 1]]))));
    if (name === "count0") { // two digits, or one
      const count = [...`${wrong}`.padStart(2, "0")].map((digit) => frame.glyphs.length + Number(digit));
      const gone = wrong < 10 ? 1 : 0;
      return put([...p.slice(0, 4), ...p.slice(4 + 4 * gone)], [...count, ...op[MORE].slice(2)].slice(gone));
    }
    if (name !== "names0" || !moved) return [op];
    const at = names[words.indexOf(k)]; // what leads to a name is left out
    return at ? put([at[0] - width(p) / 2, at[1] + 5, ...p.slice(2)]) : [];
  });
  return { wrong, list: { ...frame, ops, glyphs: [...frame.glyphs, ...digits] } };
}
