// Tells Python what a hand does: the newest state of its traits, and the next one as soon as Python is nearly done with
// that. What a newer one overtakes is not sent. It is put in front of the scripts of the widgets that use it.
function newest(model) {
  let [busy, waiting] = [false, null];
  const next = () => {
    busy = waiting !== null;
    if (busy) model.send({ newest: waiting });
    waiting = null;
  };
  const heard = (message) => { if (message.next) next(); };
  model.on("msg:custom", heard);
  const tell = (name, value) => {
    model.set(name, value);
    waiting = { ...waiting, [name]: value };
    if (!busy) next();
  };
  return [tell, () => model.off("msg:custom", heard)];
}
