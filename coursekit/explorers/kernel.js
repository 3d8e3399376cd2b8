// What a notebook keeps of a widget, and what the widget says when its Python is gone. It is put in front of the scripts
// of the widgets that use it.
const VIEW = "application/vnd.jupyter.widget-view+json";
const STATE = "application/vnd.jupyter.widget-state+json";

// JupyterLab prefers a widget to the picture stored beside it, also when there is nothing left of the widget. So a file
// gets the picture alone, and where the widget was is noted with the output: opened while that Python runs, it is live.
function stills({ model }) {
  const manager = model.widget_manager;
  const notebook = manager.context?.model;
  if (!notebook?.cells || notebook.ckStills) return;
  notebook.ckStills = true;
  const whole = notebook.toJSON.bind(notebook);
  notebook.toJSON = () => {
    const all = whole();
    const kept = all.metadata.widgets?.[STATE]?.state ?? {};
    const still = (output) => {
      const { [VIEW]: view, ...others } = output.data ?? {};
      if (!view || view.model_id in kept || !Object.keys(others).length) return output;
      return { ...output, data: others, metadata: { ...output.metadata, [VIEW]: view } };
    };
    return { ...all, cells: all.cells.map((cell) => (cell.outputs ? { ...cell, outputs: cell.outputs.map(still) } : cell)) };
  };
  const wake = () => {
    const { dirty } = notebook;
    for (const { outputs } of notebook.cells) {
      for (let k = 0; k < (outputs?.length ?? 0); k++) {
        const output = outputs.get(k).toJSON();
        const view = output.metadata?.[VIEW];
        if (!view || output.data[VIEW] || !manager.has_model(view.model_id)) continue;
        outputs.set(k, { ...output, data: { ...output.data, [VIEW]: view } });
      }
    }
    notebook.dirty = dirty;
  };
  manager.restored.connect(wake);
  wake();
}

// Where the kernel was restarted, died, or is another one now, the page says so and how to go on. Returns what ends the
// watch.
function watchKernel(model, el) {
  const { context, kernel } = model.widget_manager;
  const session = context?.sessionContext;
  const lost = () => {
    const whole = el.closest(".ck-prediction") ?? el.closest(".ck-whole") ?? el;
    if (whole.querySelector(":scope > .ck-lost")) return;
    const said = document.createElement("p");
    said.className = "ck-lost";
    said.role = "alert";
    said.textContent = "Python was stopped or started anew, so nothing moves here anymore. To go on, run this cell again "
      + "(Shift + Enter); if it needs others, choose Run > Run All Cells.";
    said.style.cssText = "margin: 0 0 8px; padding: 6px 12px; border-left: 4px solid #D55E00; font-size: 15px; line-height: 1.4";
    for (const part of whole.children) [part.inert, part.style.opacity] = [true, 0.5];
    whole.prepend(said);
  };
  const status = (_, now) => { if (["restarting", "autorestarting", "terminating", "dead"].includes(now)) lost(); };
  const changed = (_, { oldValue, newValue }) => { if (oldValue && oldValue.id !== newValue?.id) lost(); };
  const live = () => { if (el.classList.contains("jupyter-widgets-disconnected")) lost(); };
  const told = (session ?? kernel)?.statusChanged;
  told?.connect(status);
  session?.kernelChanged.connect(changed);
  model.on("comm_live_update", live);
  const placed = requestAnimationFrame(live);
  return () => {
    told?.disconnect(status);
    session?.kernelChanged.disconnect(changed);
    model.off("comm_live_update", live);
    cancelAnimationFrame(placed);
  };
}
