"use strict";
(function () {
  const $ = (id) => document.getElementById(id);
  const picture = $("picture"), image = picture.querySelector("img"), mark = picture.querySelector("i");
  const answers = $("answers");
  let turn = "", pace = 2, poll, timer, asking, missed = 0;
  let mine = null, before; // the answer that is marked, and that before a finger came
  let pending = "", arrived = ""; // votes, as JSON: the one that is on its way, the one that the server has
  let move = () => {}; // marks `mine`

  function send(method, path, body, done) {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.timeout = 8000;
    if (body) request.setRequestHeader("Content-Type", "application/json");
    request.onloadend = () => done(request.status, request.responseText);
    request.send(body);
    return request;
  }

  function make(tag, text, parent, attributes) {
    const node = document.createElement(tag);
    node.textContent = text;
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    parent.appendChild(node);
    return node;
  }

  function say(strong, rest) {
    const text = strong + "|" + rest;
    if ($("said").dataset.text === text) return; // said once to those who listen
    $("said").dataset.text = text;
    $("said").textContent = "";
    make("b", strong, $("said"));
    $("said").appendChild(document.createTextNode(" " + rest));
  }

  function line(status) { // 0: no answer came
    missed = status ? 0 : missed + 1;
    $("line").textContent = missed > 1 ? "No connection. This page tries again by itself." : "";
  }

  // What is so: whether one may vote, what is marked, whether it has arrived.
  function show() {
    const open = poll && poll.open;
    answers.querySelectorAll("button, input").forEach((one) => { one.disabled = !open; });
    const go = answers.querySelector(".go");
    if (go) {
      go.hidden = !open;
      go.disabled = mine === null || JSON.stringify(mine) === (pending || arrived);
      go.textContent = arrived ? "Change my vote" : "Vote";
    }
    move();
    if (!poll) say("", "Leave this page open: the next question comes by itself.");
    else if (!open) say("Voting is closed.", "The next question comes by itself.");
    else if (pending) say("Sending …", missed ? "Your vote is kept here until the line is back." : "");
    else if (arrived && arrived !== JSON.stringify(mine)) say("Not sent yet.", "Press the button to change your vote.");
    else if (arrived) say("Your vote is in.", "You may change it until voting closes.");
    else say("", "");
  }

  function vote(answer) {
    mine = answer;
    pending = JSON.stringify(answer);
    deliver();
    show();
  }

  function deliver() {
    const key = poll.key, vote = pending;
    send("POST", "/vote", `{"poll":${JSON.stringify(key)},"answer":${vote}}`, (status, text) => {
      line(status);
      if (!poll || poll.key !== key) return;
      if (status === 204) arrived = vote;
      const refused = status >= 400 && status < 500 && status !== 429;
      if (pending === vote && (status === 204 || refused)) pending = "";
      if (refused) mine = JSON.parse(arrived || "null");
      show();
      if (status === 409) { // closed, or another question is there
        turn = "";
        look();
      } else if (refused) say(text, "");
    });
  }

  function look() {
    clearTimeout(timer);
    const old = asking; // from before the phone slept
    asking = null;
    if (old) old.abort();
    const request = asking = send("GET", "/now?seen=" + turn, null, (status, text) => {
      if (asking !== request) return;
      asking = null;
      line(status);
      if (status === 200) {
        const now = JSON.parse(text);
        pace = now.pace;
        if (now.turn !== turn) {
          turn = now.turn;
          change(now);
        } else if (pending) deliver();
      }
      show();
      // Not all phones at once; and none while its page is hidden.
      if (!document.hidden) timer = setTimeout(look, 1000 * (status === 200 ? pace : 2) * (0.75 + Math.random() / 2));
    });
  }

  const what = (one) => one && JSON.stringify([one.key, one.question, one.options, one.slider, one.place]);

  function change(now) {
    const before = poll;
    poll = now.poll;
    document.querySelector("#title b").textContent = now.title;
    document.title = poll ? poll.question : now.title || "Vote";
    picture.hidden = !poll || !poll.picture;
    if (!picture.hidden && image.getAttribute("src") !== poll.picture) {
      image.alt = poll.alt || "The picture that the hall shows";
      image.src = poll.picture;
    }
    if (poll && what(before) === what(poll)) { // the same question: closed, or the server has started again
      if (pending && poll.open) deliver();
      return;
    }
    pending = "";
    mine = poll ? poll.yours : null;
    arrived = mine === null ? "" : JSON.stringify(mine);
    $("question").textContent = poll ? poll.question : "No question just now.";
    picture.className = poll && poll.place ? "place" : "";
    answers.textContent = "";
    scrollTo(0, 0);
    move = () => {};
    mark.hidden = true;
    if (poll) (poll.place ? place : poll.slider ? slider : options)();
  }

  function options() {
    poll.options.forEach((option, k) => {
      const button = make("button", "", answers, { type: "button" });
      make("b", "ABCDEFGH"[k], button);
      make("span", option, button);
      button.onclick = () => vote(option);
    });
    move = () => answers.querySelectorAll("button").forEach((button, k) => {
      button.setAttribute("aria-pressed", mine === poll.options[k]);
    });
  }

  const back = () => { mine = before; show(); }; // it scrolled

  const round = (number) => String(+number.toPrecision(4)).replace("-", "−");

  function button() {
    const go = make("button", "Vote", answers, { type: "button", class: "go" });
    go.onclick = () => vote(mine);
  }

  function range(label, low, high, step) {
    return make("input", "", answers, { type: "range", min: low, max: high, step, "aria-label": label });
  }

  function slider() {
    const [low, high, step] = poll.slider, said = make("output", "", answers, { "aria-hidden": true });
    const input = range(poll.unit || "Your answer", low, high, step);
    const ends = make("div", "", answers, { class: "ends", "aria-hidden": true });
    [low, high].forEach((end) => make("span", round(end), ends));
    input.oninput = input.onclick = input.onpointerup = () => { mine = +input.value; show(); };
    input.onpointerdown = () => { before = mine; };
    input.onpointercancel = back;
    button();
    move = () => {
      input.value = mine; // null: the middle
      input.classList.toggle("fresh", mine === null);
      const text = mine === null ? "Move the slider" : (round(mine) + " " + poll.unit).trim();
      said.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
  }

  // The finger on the picture, or two sliders that only keys and screen readers find: arrows move the mark.
  function place() {
    const [across, up] = poll.place, [left, bottom, right, top] = poll.box;
    const said = make("output", "", answers, { "aria-hidden": true });
    const inputs = [across, up].map(([low, high], k) => {
      const input = range(["across", "up"][k], low, high, (high - low) / 100);
      input.oninput = () => { mine = inputs.map((one) => +one.value); show(); };
      input.onkeydown = (event) => {
        const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1] }[event.key];
        if (event.key === "Enter" && mine) vote(mine);
        if (!way) return;
        event.preventDefault();
        inputs[way[0]].value = +inputs[way[0]].value + way[1] * inputs[way[0]].step * (event.shiftKey ? 10 : 1);
        inputs[way[0]].oninput();
      };
      input.onfocus = () => picture.classList.add("focus");
      input.onblur = () => picture.classList.remove("focus");
      return input;
    });
    const touched = (event) => {
      if (!poll || !poll.place || !poll.open) return;
      const area = image.getBoundingClientRect();
      const x = (event.clientX - area.left) / area.width, y = 1 - (event.clientY - area.top) / area.height;
      inputs[0].value = across[0] + (x - left) / (right - left) * (across[1] - across[0]);
      inputs[1].value = up[0] + (y - bottom) / (top - bottom) * (up[1] - up[0]);
      inputs[0].oninput();
    };
    picture.onclick = touched;
    let held; // the ring: then nothing scrolls
    picture.onpointerdown = (event) => {
      const { x, y } = mark.getBoundingClientRect();
      held = Math.hypot(event.clientX - x - 17, event.clientY - y - 17) < 22;
      before = mine;
      picture.setPointerCapture(event.pointerId);
      touched(event);
    };
    picture.ontouchstart = (event) => { if (held) event.preventDefault(); };
    picture.onpointercancel = back;
    picture.onpointermove = (event) => { if (event.buttons) touched(event); };
    button();
    move = () => {
      said.textContent = mine ? "(" + mine.map((one) => round(+one.toPrecision(2))).join(", ") + ")" : "Touch the picture";
      mark.hidden = !mine;
      if (!mine) return;
      inputs.forEach((one, k) => { one.value = mine[k]; });
      const [x, y] = [across, up].map(([low, high], k) => (mine[k] - low) / (high - low));
      mark.style.left = image.offsetLeft + image.offsetWidth * (left + x * (right - left)) + "px";
      mark.style.top = image.offsetTop + image.offsetHeight * (1 - bottom - y * (top - bottom)) + "px";
    };
    image.onload = () => move();
  }

  // A phone that slept, or has its line back, looks at once.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  addEventListener("online", look);
  addEventListener("resize", () => move());
  look();
})();
