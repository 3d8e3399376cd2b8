// Draws lists of what matplotlib draws (see plots/recorder.py) on a canvas. It is put in front of the picture's script.
const [PATH, MARKS, WORDS, PIXELS, FIELD] = [0, 1, 2, 3, 4];
const [AT, MORE] = [3, 4]; // of an op
const GLIDE = 150; // milliseconds

// A list as it comes from Python, with the coordinates of each op in it, and its images unpacked, which takes a moment.
// before: the list whose images are there.
async function unpacked({ list, at, images }, before) {
  const places = new Float32Array(at.buffer.slice(at.byteOffset, at.byteOffset + at.byteLength)), told = JSON.parse(list);
  let from = 0;
  for (const op of told.ops) op[AT] = places.subarray(from, (from += 2 * op[AT]));
  const sheets = new Map([["field", before?.sheets.get("field") ?? {}]]);
  for (const [name, content] of Object.entries(images)) {
    const inflated = () => new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate"));
    const known = before?.sheets.get(name);
    sheets.set(name, known ?? { pixels: new Uint8Array(await new Response(inflated()).arrayBuffer()) });
  }
  return { ...told, sheets };
}

// A canvas of what paint(pixels) writes down, kept in `sheet` until the key is another. One of the same size is used again:
// to collect the garbage of a new one each frame takes longer than to paint it.
function painted(sheet, columns, rows, key, paint) {
  if (sheet.key === key) return sheet.canvas;
  if (sheet.canvas?.width !== columns || sheet.canvas.height !== rows) {
    Object.assign(sheet, { image: new ImageData(columns, rows), canvas: new OffscreenCanvas(columns, rows) });
  }
  paint(new Uint32Array(sheet.image.data.buffer));
  sheet.canvas.getContext("2d").putImageData(sheet.image, 0, 0);
  sheet.key = key;
  return sheet.canvas;
}

// For each of `count` pixels along a side of a map: the four heights that it lies among, and their weights; kept.
const kept = new Map();
function cubic(count, side) {
  const key = `${count} ${side}`;
  if (!kept.has(key)) {
    kept.set(key, Array.from({ length: count }, (_, i) => {
      const x = ((i + 0.5) * side) / count - 0.5, near = Math.floor(x), four = [-1, 0, 1, 2].map((k) => near + k);
      const weights = four.map((k) => Math.abs(x - k)).map((d) => (
        d < 1 ? (1.5 * d - 2.5) * d * d + 1 : ((2.5 - 0.5 * d) * d - 4) * d + 2));
      return { four: four.map((k) => Math.min(Math.max(k, 0), side - 1)), weights };
    }));
  }
  return kept.get(key);
}

// Bands of equal height with lines between them.
function banded(out, heights, side, columns, rows, colors) {
  const bands = colors.length / 2 - 1, across = new Float32Array(side * columns);
  cubic(columns, side).forEach(({ four: [a, b, c, d], weights: [p, q, r, s] }, i) => {
    for (let row = 0, o = 0; row < side; row++, o += side) {
      across[row * columns + i] = p * heights[o + a] + q * heights[o + b] + r * heights[o + c] + s * heights[o + d];
    }
  });
  let [above, now] = [new Uint8Array(columns), new Uint8Array(columns)];
  cubic(rows, side).forEach(({ four, weights: [p, q, r, s] }, j) => {
    const [a, b, c, d] = four.map((row) => row * columns);
    for (let i = 0; i < columns; i++) {
      const height = p * across[a + i] + q * across[b + i] + r * across[c + i] + s * across[d + i];
      now[i] = Math.max(0, Math.min(height, bands - 0.01)); // no specks on a flat top
      const edge = (i && now[i] !== now[i - 1]) || (j && now[i] !== above[i]);
      out[j * columns + i] = colors[edge ? now[i] + bands + 1 : now[i]];
    }
    [above, now] = [now, above];
  });
}

const PALE = 0.2; // what is not lit, where a word lights something

// c: what to draw on, already turned so that a pixel of the list is `scale` of its own. theme: which of two colors. lit:
// the group of artists that a word lights, or "".
function replay(c, { ops, looks, clips, shapes, glyphs, groups, sheets }, outlines, scale, theme, lit) {
  let clipped = -1, drawn = -1;
  const marks = shapes.map((shape) => new Path2D(shape));
  c.save();
  for (const [kind, number, clip, p, more, columns, rows] of ops) {
    const look = looks[number], [x, y, width, height] = p;
    drawn += 1;
    if (clip !== clipped) {
      c.restore();
      c.save();
      if (clip >= 0) for (const shape of clips[clip]) c.clip(new Path2D(shape));
      clipped = clip;
    }
    c.globalAlpha = !lit || groups[lit]?.some(([first, end]) => first <= drawn && drawn < end) ? 1 : PALE;
    if (kind === PIXELS || kind === FIELD) {
      const colors = look && Uint32Array.from(look.colors[theme]), sheet = sheets.get(kind === FIELD ? "field" : more);
      const [wide, high] = kind === FIELD ? [width, height].map((size) => Math.round(size * scale)) : [columns, rows];
      const key = `${theme} ${wide} ${high} ${colors} ${columns}`; // those of heights are a sum that checks them
      c.imageSmoothingEnabled = false;
      c.drawImage(painted(sheet, wide, high, key, (out) => {
        if (kind === FIELD) banded(out, p.subarray(4), more, wide, high, colors);
        else if (colors) out.forEach((_, k) => { out[k] = colors[sheet.pixels[k]]; });
        else out.set(new Uint32Array(sheet.pixels.buffer));
      }), x, y, width, height);
      continue;
    }
    c.setLineDash(look.dash ?? []);
    Object.assign(c, { fillStyle: look.fill?.[theme], strokeStyle: look.stroke?.[theme], lineWidth: look.width,
      lineCap: look.cap, lineJoin: look.join, lineDashOffset: look.start ?? 0 });
    const draw = (path) => {
      if (look.fill) c.fill(path);
      if (look.stroke) c.stroke(path);
    };
    if (kind === MARKS) {
      for (let k = 0; k < p.length; k += 2) {
        c.translate(p[k], p[k + 1]);
        draw(marks[more]);
        c.translate(-p[k], -p[k + 1]);
      }
    } else if (kind === WORDS) { // their direction is also their size; the rim lies under the letters
      const word = new Path2D(), [right, down] = [width, height];
      more.forEach((glyph, i) => {
        const [e, f, size] = p.subarray(4 + 4 * i);
        word.addPath(outlines(glyphs[glyph]), { a: size, d: size, e, f });
      });
      c.save();
      c.transform(right, down, down, -right, x, y);
      Object.assign(c, { lineWidth: look.rim / right, lineJoin: "round" });
      if (look.rim) c.stroke(word);
      c.fill(word);
      c.restore();
    } else {
      const way = new Path2D(), count = p.length / 2, codes = more || `A${"B".repeat(count - 1)}`;
      for (let k = 0; k < count; k++) {
        const i = 2 * k, code = codes[k];
        if (code === "A") way.moveTo(p[i], p[i + 1]);
        else if (code === "B") way.lineTo(p[i], p[i + 1]);
        else if (code === "C") way.quadraticCurveTo(...p.subarray(i, 2 * ++k + 2));
        else if (code === "D") way.bezierCurveTo(...p.subarray(i, 2 * (k += 2) + 2));
        else way.closePath();
      }
      draw(way);
    }
  }
  c.restore();
}

// How artists that glide get from one list to the next: for each op that is alike in both, its two numbers, and from where
// it goes and where to; a line that has grown grows from its end. Nothing at all where a line turns about.
function ways(before, after) {
  const found = [];
  for (const [i, [first, end]] of before.glides.entries()) {
    const [next, last] = after.glides[i] ?? [0, 0];
    if (last - next !== end - first) continue;
    for (let k = first; k < end; k++) {
      const both = [k, next + k - first], [one, other] = [before.ops[k], after.ops[both[1]]];
      const [from, to] = [[...one[AT]], other[AT]], long = from.length;
      if (one[0] !== other[0] || one[0] > MARKS || (one[0] === PATH && one[MORE] !== other[MORE])) continue;
      if (to.length > long) {
        if ((one[0] === PATH && one[MORE]) || from.slice(0, -2).some((x, i) => Math.abs(x - to[i]) > 1)) continue;
        for (let i = long; i < to.length; i++) from.push(from[i - 2]);
      } else if (to.length < long) continue;
      else if (one[0] === PATH) {
        const [[x, y], [u, v]] = [from, to].map((p) => [p[2] - p[0], p[3] - p[1]]);
        if (2 * (x * u + y * v) < -Math.hypot(x, y) * Math.hypot(u, v)) return [];
      }
      if (from.some((x, i) => Math.abs(x - to[i]) > 0.1)) found.push({ both, from, to });
    }
  }
  return found;
}

// The list before or after (which: 0 or 1), with all that glides so far on its way: share, from 0 to 1.
function along(list, which, found, share) {
  const ops = [...list.ops];
  for (const { both, from, to } of found) {
    const op = ops[both[which]] = [...ops[both[which]]];
    op[AT] = to.map((x, i) => from[i] + share * (x - from[i]));
  }
  return { ...list, ops };
}

// Draws one list after another, at once or, where it glides, in a moment: the list before stays until its lines are there.
function glider(draw) {
  let timer = 0, now = () => null; // the newest list, its lines where they are seen
  const stop = () => cancelAnimationFrame(timer);
  const show = (list, glides) => {
    stop();
    const before = now(), found = glides && before ? ways(before, list) : [], began = performance.now();
    const share = () => Math.min((performance.now() - began) / GLIDE, 1);
    const eased = () => share() * (2 - share());
    const next = () => {
      if (share() === 1) return show(list, false);
      draw(along(before, 0, found, eased()));
      timer = requestAnimationFrame(next);
    };
    now = found.length ? () => along(list, 1, found, eased()) : () => list;
    if (found.length) timer = requestAnimationFrame(next);
    else draw(list);
  };
  return { show, stop };
}
