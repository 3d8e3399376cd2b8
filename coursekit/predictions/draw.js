// A curve, a street or a path that is drawn over a picture, and what is true, which grows over it. It is put in front of
// the script of the form. Answers are rows of numbers, see sketch.py; here they are shares of the axes.
function drawing(layer, { kind, start, places, names, unit, ends }, moved) {
  const svg = layer.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const part = (tag, classes) => {
    const node = svg.appendChild(document.createElementNS(svg.namespaceURI, tag));
    node.setAttribute("class", `ck-${classes}`);
    return node;
  };
  const [band, gap, draws, truth, own] = ["band", "gap", "draws", "truth", "own"].map((name) => part("path", name));
  const words = ["mine", "so"].map((name) => part("text", name));
  truth.setAttribute("pathLength", 1);
  let [numbers, result, last] = [[...start], {}, null];
  const street = kind === "street", curve = kind === "curve";
  const pairs = (row) => row.flatMap((x, k) => (k % 2 ? [] : [[x, row[k + 1]]]));
  const points = (row) => {
    if (street) return [[0, row[0]], [1, row[1]], [0.5, (row[0] + row[1]) / 2 + row[2]]];
    return curve ? row.map((y, k) => [k / (row.length - 1), y]) : pairs(row);
  };
  const lines = (row) => (street ? [0, 1, -1].map((side) => [0, 1].map((x) => [x, row[x] + side * row[2]])) : [points(row)]);
  const within = (share) => Math.min(Math.max(share, 0), 1);

  // Lines in pixels; a curve is smooth, and has no corner between two of its heights.
  const pixel = ([x, y]) => [x * layer.clientWidth, (1 - y) * layer.clientHeight];
  const traced = (line) => {
    const p = line.map(pixel), slope = (k) => {
      const [a, b] = [p[Math.max(k - 1, 0)], p[Math.min(k + 1, p.length - 1)]];
      return (b[1] - a[1]) / (b[0] - a[0]);
    };
    return p.map(([x, y], k) => {
      if (!k || !curve) return `${k ? "L" : "M"}${x},${y}`;
      const [[before, height], third] = [p[k - 1], (x - p[k - 1][0]) / 3];
      return `C${before + third},${height + third * slope(k - 1)} ${x - third},${y - third * slope(k)} ${x},${y}`;
    }).join("");
  };
  const path = (node, ...rows) => node.setAttribute("d", rows.flatMap(lines).map(traced).join(""));
  const ring = (row) => { const [, above, below] = lines(row); return `${traced(above)}${traced([...below].reverse()).replace("M", "L")}Z`; };

  // The handles are sliders by name; those of a path move both ways, and its two ends are given.
  const value = (axis, share, [low, high] = ends[axis]) => shown(Number((low + share * (high - low)).toPrecision(3)));
  const measure = (number) => `${number}${unit === "%" ? "" : " "}${unit}`.trim();
  const called = (k) => (street ? ["Left end", "Right end", "Width"][k] : curve ? `${names[0]} ${places[k]}`.trim() : `Point ${k}`);
  const handles = points(start).map((_, k, all) => {
    if (kind === "path" && (k === 0 || k === all.length - 1)) return null;
    const node = layer.appendChild(document.createElement("span"));
    Object.assign(node, { className: "ck-handle", role: "slider", tabIndex: 0, ariaLabel: called(k), ariaValueMin: ends[1][0],
      ariaValueMax: ends[1][1], ariaOrientation: "vertical" });
    node.dataset.lmSuppressShortcuts = "true";
    node.addEventListener("keydown", (event) => {
      const by = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0], PageUp: [0, 5], PageDown: [0, -5] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [x, y] = points(numbers)[k];
      put(k, x + 0.02 * by[0], y + 0.02 * by[1]);
    });
    return node;
  });
  const put = (k, x, y) => {
    if (kind === "path") [numbers[2 * k], numbers[2 * k + 1]] = [within(x), within(y)];
    else if (street && k === 2) numbers[2] = Math.min(Math.max(y - (numbers[0] + numbers[1]) / 2, 0.01), 0.5);
    else numbers[k] = within(y);
    show();
    moved();
  };
  const show = () => {
    if (!layer.clientWidth) return;
    svg.setAttribute("viewBox", `0 0 ${layer.clientWidth} ${layer.clientHeight}`);
    path(own, numbers);
    band.setAttribute("d", street ? ring(numbers) : "");
    points(numbers).forEach(([x, y], k) => {
      const node = handles[k];
      if (!node) return;
      node.style.cssText = `left: ${100 * x}%; top: ${100 * (1 - y)}%`;
      const wide = street && k === 2 && value(1, 2 * numbers[2], [0, ends[1][1] - ends[1][0]]);
      node.ariaValueNow = wide || value(1, y);
      node.ariaValueText = kind === "path" ? `${names[0]} ${value(0, x)}, ${names[1]} ${value(1, y)}` : measure(node.ariaValueNow);
    });
    const { right, draws: each } = result;
    layer.classList.toggle("ck-drawn", !!right);
    if (!right) return;
    path(truth, right);
    path(draws, ...each);
    const [mine, so] = [points(numbers), points(right)];
    const back = street ? ring(right) : traced([...so].reverse()).replace("M", "L") + "Z";
    gap.setAttribute("d", (street ? ring(numbers) : traced(mine)) + back);
    // Each line is named where the two are farthest apart.
    const far = mine.slice(0, street ? 2 : mine.length).map(([x, y], k) => Math.hypot(x - so[k][0], y - so[k][1]));
    const k = far.indexOf(Math.max(...far)), below = mine[k][1] < so[k][1];
    [[mine, "you", below], [so, each.length ? `mean of ${each.length} draws` : "so it is", !below]].forEach(([at, text, low], i) => {
      const [x, y] = pixel(at[k]);
      words[i].textContent = text;
      const anchor = x < 75 ? "start" : x > layer.clientWidth - 75 ? "end" : "middle";
      const high = Math.min(Math.max(y + (low ? 26 : -14), 18), layer.clientHeight - 6);
      for (const [name, is] of Object.entries({ x, y: high, "text-anchor": anchor })) words[i].setAttribute(name, is);
    });
  };

  // A curve is drawn by the mouse wherever it is; a finger, and the others, take hold of a handle. Elsewhere a finger moves the page.
  const at = (event) => {
    const box = layer.getBoundingClientRect();
    return [within((event.clientX - box.left) / box.width), within(1 - (event.clientY - box.top) / box.height)];
  };
  layer.addEventListener("pointerdown", (event) => {
    const handle = handles.indexOf(event.target);
    if (result.right || event.button || (handle < 0 && (!curve || event.pointerType === "touch"))) return;
    event.preventDefault();
    layer.setPointerCapture(event.pointerId);
    last = { handle, x: at(event)[0], y: at(event)[1] };
    handles[handle]?.focus({ preventScroll: true });
    if (curve) follow(event);
  });
  const follow = (event) => {
    if (!last) return;
    const [x, y] = at(event);
    if (!curve) return put(last.handle, x, y);
    const count = numbers.length - 1, [from, to] = [last.x, x].map((share) => Math.round(share * count));
    for (let k = from; ; k += Math.sign(to - from)) {
      const share = x === last.x ? 1 : within((k / count - last.x) / (x - last.x));
      put(k, 0, k === to ? y : last.y + share * (y - last.y));
      if (k === to) break;
    }
    Object.assign(last, { x, y });
  };
  layer.addEventListener("pointermove", follow);
  for (const end of ["pointerup", "pointercancel"]) layer.addEventListener(end, () => { last = null; });
  new ResizeObserver(show).observe(layer);
  return {
    numbers: () => numbers,
    told(now) {
      if (now.own || result.own) numbers = now.own ?? [...start];
      result = now;
      show();
    },
  };
}
