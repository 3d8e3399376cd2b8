// Shows the newest frame of a matplotlib figure, and the sentence that says what it shows.
function render({ model, el }) {
  el.classList.add("ck-explorer");
  const picture = document.createElement("img");
  picture.className = "ck-picture";
  picture.width = model.get("width");
  picture.height = model.get("height");
  const sentence = document.createElement("p");
  sentence.className = "ck-sentence";
  sentence.setAttribute("aria-live", "polite");
  el.append(picture, sentence);

  let url = null;
  const paint = () => {
    const frame = model.get("frame");
    if (!frame || !frame.byteLength) return;
    const old = url;
    url = URL.createObjectURL(new Blob([frame], { type: model.get("format") }));
    picture.src = url;
    if (old) URL.revokeObjectURL(old);
  };
  const say = () => {
    picture.alt = model.get("sentence");
    sentence.textContent = model.get("sentence");
  };
  model.on("change:frame", paint);
  model.on("change:sentence", say);
  say();
  paint();

  // A stroke is a press, the way of the pointer, and a release. Only the newest position is sent: the
  // model sends one value at a time and drops those that a newer one has overtaken.
  let stroke = null;
  const at = (event) => {
    const box = picture.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const send = (event, done) => {
    stroke = { ...stroke, at: at(event), done };
    model.set("stroke", stroke);
    model.save_changes();
  };
  if (model.get("touchable")) {
    picture.classList.add("ck-touchable");
    picture.draggable = false;
    picture.addEventListener("pointerdown", (event) => {
      picture.setPointerCapture(event.pointerId);
      stroke = { id: Date.now(), start: at(event) };
      send(event, false);
    });
    picture.addEventListener("pointermove", (event) => stroke && !stroke.done && send(event, false));
    picture.addEventListener("pointerup", (event) => stroke && !stroke.done && send(event, true));
  }

  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  if (ratio !== model.get("ratio")) {
    model.set("ratio", ratio);
    model.save_changes();
  }
  return () => {
    model.off("change:frame", paint);
    model.off("change:sentence", say);
    if (url) URL.revokeObjectURL(url);
  };
}
export default { render };
