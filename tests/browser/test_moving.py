"""The line among emails that follows a finger before Python is there, beside the explorer that takes its place."""

import base64
import json
from html import escape
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import coursekit as ck
from coursekit.explorers.controls import script
from coursekit_site.moving import line_by_hand
from coursekit_site.pages import MOVED

LIVE = files("coursekit_site") / "live"
SCRIPT = script("field.js", "replay.js", LIVE / "line.js", LIVE / "moving.js")
TOLD = line_by_hand("hyperplane", MOVED, ["angle", "shift"])
# What the page would draw for a line, by the names of the ops.
DRAWN = """async ([angle, shift, length, moved]) => {
    const told = JSON.parse(document.querySelector(".ck-moving").textContent), shown = told.wide;
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const frame = await unpacked({ ...shown.lists[1], at: bytes(shown.lists[1].at), images: {} });
    const of = (line) => ({ ...line, arrow: geometry(shown, told.limits, line).arrow });
    const { wrong, list } = drawnFor(of({ angle, shift, length }), of(told).arrow(), frame, shown, told, moved);
    return { wrong, ops: list.ops.map((op) => [op[0], [...op[3]]]) };
}"""


@pytest.fixture
def still(browser):
    """A page with the still of the start page, which can be moved; and the explorer that it is of."""
    explorer = ck.explorers.hyperplane(MOVED)
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    image = f'<img style="width: 900px" src="data:image/png;base64,{base64.b64encode(explorer.png()).decode()}"'
    style = (LIVE / "live.css").read_text("utf-8")
    page.set_content(f"""<style>{style} body {{ color: black }}</style>
        <div class="ck-still">{image} alt="{escape(explorer.sentence)}">
        <div class="ck-strip" aria-hidden="true"><i></i><i></i></div><p class="ck-sentence"></p>
        <script type="application/json" class="ck-moving">{json.dumps(TOLD)}</script></div>
        <script>{SCRIPT}</script>""")
    page.locator(".ck-hand").wait_for()
    yield page, explorer
    page.locator(".ck-still").evaluate("(still) => still.remove()")
    page.evaluate("() => new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))")
    page.context.close()
    assert faults == []


def values(explorer):
    return [explorer.angle, explorer.shift, explorer.length]


def places(explorer, gid):
    """Where the explorer's frame has what belongs to a group, op after op."""
    told = json.loads(explorer.picture.frame["list"])
    at = np.split(np.frombuffer(explorer.picture.frame["at"], np.float32), np.cumsum([2 * op[3] for op in told["ops"]]))
    return [(told["ops"][k][0], at[k].reshape(-1, 2)) for first, end in told["groups"].get(gid, ())
            for k in range(first, end)]


def test_the_page_draws_the_arrow_the_shadows_and_the_errors_where_the_explorer_does(still):
    for line in (10, 1, 1), (70, 1.6, 1), (-35, 0.5, 2.4), (120, -0.6, 0.3), (180, 1, 1), (90, 1.9, 1):
        drawn_alike(*still, line)


def drawn_alike(page, explorer, line):
    explorer.set(**dict(zip(("angle", "shift", "length"), line, strict=True)))
    found = page.evaluate(DRAWN, [*line, True])
    assert found["wrong"] == explorer.state.misclassified
    ours = [(kind, np.reshape(at, (-1, 2))) for kind, at in found["ops"]]
    theta = next(k for k, (kind, at) in enumerate(ours) if kind == 0 and len(at) == 3)

    def drawn(at):
        return any(here.shape == at.shape and np.abs(here - at).max() < 1.01 for _, here in ours)

    (shaft, head), (_, (tail, _, neck)), (_, corners) = ours[theta:theta + 2], *places(explorer, "theta")
    assert_allclose(shaft[1][[0, 2]], [tail, neck], atol=0.01)
    assert_allclose(head[1][:3], corners[:3], atol=0.01)
    assert all(drawn(at) for gid in ("wrong", "shadow") for _, at in places(explorer, gid))
    (_, ends), = places(explorer, "line")
    along = (ends[1] - ends[0])[::-1] * [-1, 1] / np.hypot(*(ends[1] - ends[0]))
    assert any(here.shape == (2, 2) and np.abs((here - ends[0]) @ along).max() < 0.1 for _, here in ours)
    # What the page names: that of the count lies above the picture.
    named = np.array([at[0] for kind, at in ours if kind == 2])
    assert len(named) == 1 + np.isfinite(explorer.sides.names.boxes()).all(axis=1).sum()
    assert ((named >= 0) & (named <= explorer.picture.figure.bbox.size)).all()
    assert all(np.abs(one - other)[1] > 20 or np.abs(one - other)[0] > 60 for one, other in combinations(named, 2))


# Python is there, and somebody has made a widget: what it is told.
TAKEN = """async () => {
    const made = (name, className) => Object.assign(document.createElement(name), { className });
    const [place, stage, said] = [made("div", ""), made("div", "ck-stage"), made("p", "ck-sentence")], sent = [];
    said.textContent = document.querySelector(".ck-sentence").textContent;
    place.append(stage, said);
    window.ckWords = new Map([[stage, { send: (word) => sent.push(word) }]]);
    await document.querySelector(".ck-still").taken(place);
    return sent;
}"""


def hold(page, explorer, start, *way):
    """Press the mouse at a pixel of the picture and drag it, in the page and in the explorer; where both then are."""
    box, (wide, high) = page.locator(".ck-hand").bounding_box(), explorer.picture.figure.bbox.size
    explorer.picture.stroke = {}
    for k, (x, y) in enumerate((start, *way)):
        page.mouse.move(box["x"] + x, box["y"] + high - y)
        if not k:
            page.mouse.down()
        begun, at = ([a / wide, 1 - b / high] for a, b in (start, (x, y)))
        explorer.picture.stroke = {"id": str(start), "start": begun, "at": at, "done": k == len(way), "grip": 0.015}
    page.mouse.up()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    return page.locator(".ck-sentence").text_content(), page.evaluate(TAKEN)


def test_what_is_dragged_in_the_page_is_what_the_explorer_makes_of_it_and_is_told_to_it(still):
    page, explorer = still
    assert page.evaluate(TAKEN) == []
    to_pixels = explorer.plane.transData.transform
    for which, way in (("tip", (-70, 60)), ("tail", (20, 50)), ("tip", (150, -90)), ("line", (-60, 20))):
        tail, tip = to_pixels(explorer.normal.ends.get_xydata())
        start = {"tip": tip, "tail": tail, "line": np.array([80.0, 480.0])}[which]
        said, words = hold(page, explorer, start, start + np.array(way) / 2, start + way)
        assert said == explorer.sentence
        (word,) = words
        fresh = ck.explorers.hyperplane(MOVED)
        fresh.tools.do(word)
        assert_allclose(values(fresh), values(explorer), atol=1e-9)


def test_sliders_move_it_by_keys_and_say_what_it_does(still):
    page, explorer = still
    page.get_by_role("slider", name="angle").press("ArrowRight")
    page.get_by_role("slider", name="shift").press("End")
    explorer.set(angle=11, shift=5)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.locator(".ck-sentence").text_content() == explorer.sentence
    told = f"5: {explorer.state.misclassified} of 24 wrong"
    assert page.get_by_role("slider", name="shift").get_attribute("aria-valuetext") == told
