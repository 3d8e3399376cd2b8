// The widgets of ipywidgets and anywidget in a page without Jupyter; Python behind them is in a worker.
const here = new URL(".", import.meta.url);

// The scripts of ipywidgets and anywidget for the classic notebook are the only complete ones that pip installs. They
// are AMD modules, for which a define() that catches what they define is loader enough.
const script = (name, url = new URL(name, here)) => new Promise((resolve, reject) => {
  const element = document.createElement("script");
  window.define = (_needs, factory) => { element.made = factory; };
  element.src = url;
  element.onload = () => (element.made ? resolve(element.made) : reject(new Error(`${name} defines nothing`)));
  element.onerror = () => reject(new Error(`${name} did not load`));
  document.head.append(element);
});

export async function libraries(waits = () => {}) { // waits: is told for what, at last for nothing
  const nothing = () => {};
  window.Jupyter = { version: "6.5.0" };
  window.requirejs = Object.assign((names, then) => names.includes("notebook/js/outputarea") && then(
    { notebook: { container: { on: nothing } } }, { on: nothing },
    { OutputArea: { prototype: { register_mime_type: nothing } } },
  ), { config: nothing });
  waits("controls.bin");
  const inflated = await whole(new URL("controls.bin", here), ({ body }) => (
    new Response(body.pipeThrough(new DecompressionStream("gzip"))).blob()
  ));
  const widgets = (await script("controls.js", URL.createObjectURL(inflated)))({});
  widgets.load_ipython_extension(); // brings the style sheets
  waits("anywidget.js");
  const anywidget = (await script("anywidget.js"))(widgets);
  waits("");
  for (const name of ["define", "requirejs", "Jupyter"]) delete window[name];
  return { widgets, anywidget };
}

export class Manager { // what the models and views of ipywidgets ask of a widget manager
  constructor({ widgets, anywidget }, worker) {
    Object.assign(this, { widgets, worker, models: new Map(), comms: new Map(), waiting: new Map(), number: 0 });
    const ours = ["base", "controls", "output"].map((name) => [`@jupyter-widgets/${name}`, widgets]);
    this.modules = Object.fromEntries([["anywidget", anywidget], ...ours]);
  }
  callbacks() { return {}; }
  async get_model(id) { return this.models.get(id); }
  inline_sanitize(html) { return html; } // our own Python wrote it
  async create_view(model, options = {}) {
    await model.state_change; // until what Python has told of it is there
    const View = this.modules[model.get("_view_module")][model.get("_view_name")];
    const view = new View({ model, options });
    view.listenTo(model, "destroy", view.remove);
    await view.render();
    const id = this.widgets.uuid();
    if (model.views) model.views[id] = Promise.resolve(view);
    view.once("remove", () => { if (model.views) delete model.views[id]; });
    return view;
  }
  async make(comm, state) {
    const Model = this.modules[state._model_module][state._model_name];
    const options = { widget_manager: this, model_id: comm.comm_id, comm };
    const model = new Model(await Model._deserialize_state(state, this), options);
    return Object.assign(model, { name: state._model_name, module: state._model_module });
  }
  comm(id) {
    const comm = { comm_id: id, target_name: "jupyter.widget", close() {} };
    comm.on_msg = (told) => { comm.message = told; };
    comm.on_close = (told) => { comm.closed = told; };
    comm.send = (data, callbacks, _metadata, buffers = []) => {
      const number = `${++this.number}`;
      this.waiting.set(number, callbacks);
      this.worker.postMessage({ number, comm: id, data: JSON.stringify(data), buffers });
      return number;
    };
    this.comms.set(id, comm);
    return comm;
  }
  async handle([type, id, data, copies]) {
    const buffers = copies.map((b) => new DataView(b.buffer, b.byteOffset, b.byteLength));
    if (type === "comm_open") {
      this.widgets.put_buffers(data.state, data.buffer_paths ?? [], buffers);
      const made = this.make(this.comm(id), data.state);
      this.models.set(id, made);
      await made; // before it is there, its messages would be lost
    } else if (type === "comm_msg") {
      this.comms.get(id)?.message?.({ content: { data }, buffers });
    } else if (type === "comm_close") {
      this.comms.get(id)?.closed?.({});
    }
  }
  idle(number) { // a model keeps its next message until the one before has been answered
    const callbacks = this.waiting.get(number);
    this.waiting.delete(number);
    callbacks?.iopub?.status?.({ content: { execution_state: "idle" } });
  }
  async show(id, still) {
    const view = await this.create_view(await this.get_model(id));
    const place = Object.assign(document.createElement("div"), { className: "ck-live ck-coming" });
    still.before(place);
    this.widgets.JupyterLuminoWidget.attach(view.luminoWidget, place);
    for (let k = 0; k < 200; k++) { // anywidget renders later than its view says
      if (place.querySelector("canvas.ck-picture[data-drawn], .ck-predict form")) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (still.taken) still.taken(place).then(() => this.swap(still, place)); // what a reader has made of it, see moving.js
    else this.swap(still, place);
  }
  swap(still, place) {
    const focused = still.contains(document.activeElement) && document.activeElement.ariaLabel;
    if (still.querySelector(".ck-strip") === null) { // as high as it, while the page is as wide
      place.style.minHeight = `${still.offsetHeight}px`;
      const { clientWidth } = document.documentElement;
      const freed = () => {
        if (document.documentElement.clientWidth === clientWidth) return;
        place.style.minHeight = "";
        removeEventListener("resize", freed);
      };
      addEventListener("resize", freed);
    }
    place.classList.remove("ck-coming");
    still.remove();
    if (focused === false) return;
    const same = [...place.querySelectorAll("input[type=range]")].find(({ ariaLabel }) => ariaLabel === focused);
    (same ?? place.querySelector("[tabindex='0'], input, button"))?.focus({ preventScroll: true });
  }
}
