// On every page that is read: what its reader chose, how far he is, and a page made for paper. It comes when it comes, and
// what it makes work is hidden until then.
{
  const { keep, kept, made, done } = coursekit;
  const html = document.documentElement;
  const main = document.querySelector("main");

  // Whoever has no mouse can scroll what is too wide, on a phone that is turned too.
  new ResizeObserver(() => {
    for (const wide of main.querySelectorAll("mjx-container[display], table")) {
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    }
  }).observe(main);

  // In the header each chapter is filled by how many of its predictions were answered.
  const { predictions } = done();
  for (const number of document.querySelectorAll(".numbers [data-asked]")) {
    const [all, name] = number.dataset.asked.split(" ");
    const answered = predictions.filter((one) => one.startsWith(name)).length;
    number.style.setProperty("--done", `${Math.min(360, (360 * answered) / all)}deg`);
  }

  // All code of a chapter is shown or folded at once, here and in the next one.
  const python = document.querySelector("#ck-python"), folds = main.querySelectorAll(".ck-code");
  const show = (all) => {
    python.setAttribute("aria-pressed", all);
    for (const fold of folds) fold.open = all;
  };
  if (python && folds.length) {
    python.hidden = false;
    if (kept("coursekit-python") === "shown") show(true);
    python.onclick = () => {
      const all = python.getAttribute("aria-pressed") !== "true";
      show(all);
      keep("coursekit-python", all ? "shown" : "folded");
    };
  }

  // The header leaves while one reads on, and comes back with how much there is to read, when one looks back.
  const minutes = Number(main.dataset.minutes ?? 0);
  const end = [...main.querySelectorAll("h2")].find(({ textContent }) => textContent.startsWith("In five lines"));
  const left = document.querySelector(".tools").appendChild(made("span", { className: "ck-left" }));
  let before = scrollY;
  const scrolled = () => {
    if (Math.abs(scrollY - before) > 8 || scrollY < 80) {
      html.classList.toggle("ck-down", scrollY > before && scrollY > 80);
      before = scrollY;
    }
    const last = (end?.getBoundingClientRect().top ?? main.getBoundingClientRect().bottom) + scrollY - innerHeight / 2;
    const share = Math.min(1, Math.max(0, scrollY / Math.max(1, last)));
    html.style.setProperty("--read", share);
    left.textContent = minutes && scrollY > 80 ? `${Math.ceil(minutes * (1 - share)) || "no"} min left` : "";
  };
  if (minutes) addEventListener("scroll", scrolled, { passive: true });

  if (main.matches("[data-pagefind-body]")) { // the start page leads back here, to where one was
    const place = () => keep("coursekit-read", JSON.stringify([location.href, document.title, scrollY]));
    try {
      if (location.hash === "#again") scrollTo(0, JSON.parse(kept("coursekit-read"))[2]);
    } catch { /* it was nowhere */ }
    document.querySelector("#ck-paper")?.removeAttribute("hidden");
    if (location.search === "?print") paper();
    else {
      addEventListener("pagehide", place);
      place();
    }
  }

  // Made for paper: what is folded away, answers above all, are notes at the end.
  function paper() {
    for (const fold of folds) fold.replaceWith(...[...fold.childNodes].slice(1));
    const notes = made("ol");
    for (const fold of main.querySelectorAll("details")) {
      const number = notes.childElementCount + 1;
      const title = fold.querySelector("summary"), called = title.textContent.trim();
      title.remove();
      fold.replaceWith(made("p", {}, `${called} `, made("a", { href: `#note-${number}` }, `[${number}]`)));
      const named = called.startsWith("Answer") ? [] : [made("strong", {}, called)];
      notes.append(made("li", { id: `note-${number}` }, ...named, ...fold.childNodes));
    }
    main.append(made("h2", {}, "Notes and answers"), notes);
  }
}
