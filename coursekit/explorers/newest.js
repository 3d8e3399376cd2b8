// Tells Python what a hand does. One state of the traits is on its way at a time: the next one is sent when Python has
// answered, and it is the newest by then; those in between are never sent. Where a line was cut, the answer may never come,
// so after 3 seconds the next one is sent without it. Each time that happens the wait doubles: a Python that is alive but
// slow would otherwise get states faster than it can answer them. This file is put in front of the scripts of the widgets
// that use it.
function newest(model) {
  let [busy, waiting, late, number, began, patience] = [false, null, 0, 0, 0, 3000];
  const next = () => {
    clearTimeout(late);
    busy = waiting !== null;
    if (!busy) return;
    model.send({ newest: waiting, number: ++number });
    [waiting, began] = [null, performance.now()];
    late = setTimeout(() => { patience *= 2; next(); }, patience);
  };
  const heard = ({ next: now, number: answered }) => {
    if (answered !== number) return; // or it is an older one's, and the number would jump back
    patience = Math.max(3000, 2 * (performance.now() - began));
    if (waiting === null) model.set(now); // a line that is back may have told of an older state
    next();
  };
  model.on("msg:custom", heard);
  const tell = (name, value) => {
    model.set(name, value);
    waiting = { ...waiting, [name]: value };
    if (!busy) next();
  };
  const hush = () => {
    clearTimeout(late);
    model.off("msg:custom", heard);
  };
  return [tell, hush];
}
