// A control for a number: its name, a slider over its stops, and a field to type it into.
function render({ model, el }) {
  const make = (tag, classes) => {
    const node = el.appendChild(document.createElement(tag));
    node.className = classes;
    return node;
  };
  el.classList.add("ck-control", "widget-inline-hbox", "widget-hslider");
  const name = model.get("description");
  make("label", "widget-label").textContent = name;
  const slider = model.get("slides") && make("input", "");
  const input = make("input", "widget-readout");
  input.ariaLabel = name;
  const ticks = slider && model.get("ticks").length ? make("div", "ck-ticks") : null;
  const note = make("output", "ck-note");

  // Its stops are the grades, or those that are a step apart; the slider counts them.
  const [grades, low, high, step] = ["grades", "min", "max", "step"].map((trait) => () => model.get(trait));
  const stop = (k) => grades()[k] ?? Number((low() + k * step()).toFixed(10));
  const last = () => (grades().length || Math.round((high() - low()) / step()) + 1) - 1;
  const place = (number) => {
    if (!grades().length) return Math.round((number - low()) / step());
    const away = grades().map((grade) => Math.abs(grade - number));
    return away.indexOf(Math.min(...away));
  };
  const within = (number, from, to) => Math.min(Math.max(number, from), to);
  const now = () => model.get("value");
  const [tell, hush] = newest(model);
  const put = (number) => { if (number !== now()) tell("value", number); };
  const shows = field(input, note, name, {
    now, put, ends: () => [low(), high()], step: (by) => stop(within(place(now()) + by, 0, last())),
    nearest: (number) => {
      const inside = within(number, low(), high());
      return slider ? stop(place(inside)) : inside;
    },
  });
  const show = () => {
    shows();
    input.disabled = model.get("disabled");
    if (!slider) return;
    const share = (number) => `${place(number) / (last() || 1)}`;
    slider.style.setProperty("--share", share(now()));
    ticks?.replaceChildren(...model.get("ticks").filter(([at]) => at >= low() && at <= high()).map(([at, word], k, all) => {
      const tick = Object.assign(document.createElement("span"), { textContent: word });
      if (k && share(at) - share(all[k - 1][0]) < 0.06) tick.className = "ck-near";
      tick.style.setProperty("--share", share(at));
      return tick;
    }));
    Object.assign(slider, { max: last(), value: place(now()), disabled: input.disabled, ariaDisabled: input.disabled });
    for (const what of ["Min", "Now", "Max", "Text"]) slider[`ariaValue${what}`] = input[`ariaValue${what}`];
  };
  if (slider) {
    Object.assign(slider, { type: "range", min: 0, role: "slider", ariaLabel: name });
    slider.dataset.lmSuppressShortcuts = "true";
    if (ticks) ticks.ariaHidden = "true";
    slider.addEventListener("input", () => put(stop(slider.valueAsNumber)));
    staying(slider, now, (number) => { put(number); show(); });
  }
  const watched = "change:value change:grades change:min change:max change:disabled";
  model.on(watched, show);
  show();
  return () => {
    model.off(watched, show);
    hush();
  };
}
export default { render };
