// Tells Python what a hand does: the newest state of its traits, and the next one as soon as Python is nearly done with
// that. What a newer one overtakes is not sent. It is put in front of the scripts of the widgets that use it.
function newest(model) {
  let [busy, waiting, late] = [false, null, 0];
  const next = () => {
    clearTimeout(late);
    busy = waiting !== null;
    if (!busy) return;
    model.send({ newest: waiting });
    waiting = null;
    late = setTimeout(next, 3000); // the line may have been cut under it, or under its answer
  };
  const heard = ({ next: now }) => {
    if (!now) return;
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
