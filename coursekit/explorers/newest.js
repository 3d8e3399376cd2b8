// Tells Python what a hand does: the newest state of its traits, and the next one as soon as Python is nearly done with
// that. What a newer one overtakes is not sent. Where no answer comes, the line may have been cut under it: then the next
// one is sent after a while, of which a Python that is slow gets more and more. It is put in front of the scripts of the
// widgets that use it.
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
