"""Each explorer's picture, drawn by the browser from its list, beside the same picture drawn by Agg."""

import base64
import io
import json

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image, ImageFilter

import coursekit as ck
from coursekit.explorers.picture import Picture
from coursekit.plots.marks import Plot

PAGE = """<style>body { margin: 0; color: black; }
@media (prefers-color-scheme: dark) { body { color: white; } }</style>
<div id="place"></div>"""
# Shows a widget whose Python is elsewhere: what it has is told, and nobody hears what it says.
SHOW = """async ([script, told]) => {
    const heard = window.heard = {};
    const bytes = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
    window.revived = (text) => JSON.parse(text, (_, value) => value?.bytes === undefined ? value : bytes(value.bytes));
    window.state = revived(told);
    const model = { get: (name) => state[name], set() {}, save_changes() {}, off() {}, widget_manager: {},
                    on: (events, act) => events.split(" ").forEach((event) => { heard[event] = act; }) };
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    window.gone?.();
    place.replaceChildren();
    window.gone = (await import(url)).default.render({ model, el: place });
}"""
DRAWN = "() => document.querySelector('canvas').dataset.drawn && document.querySelector('canvas').toDataURL()"
# The color of the picture's upper left corner.
CORNER = "(() => [...document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data].slice(0, 3))()"
# Two frames come one after the other, and the first takes longer to unpack; what is seen when both are through.
NEXT = """async (frames) => {
    const { prototype } = Response, whole = prototype.arrayBuffer;
    let late = new Promise((resolve) => setTimeout(resolve, 300));
    const through = late.then(() => new Promise((resolve) => setTimeout(resolve, 100)));
    prototype.arrayBuffer = async function () {
        const wait = late;
        late = null;
        await wait;
        return whole.call(this);
    };
    for (const frame of frames) {
        state.frame = revived(frame);
        heard["change:frame"]();
    }
    await through;
    prototype.arrayBuffer = whole;
    return document.querySelector("canvas").toDataURL();
}"""


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page(viewport={"width": 1000, "height": 1200})
    opened.set_content(PAGE)
    opened.add_style_tag(content=ck.explorers.perceptron().picture._css)
    yield opened
    opened.context.close()


def told_value(value):
    """As JSON, its bytes as texts."""
    return json.dumps(value, default=lambda part: {"bytes": base64.b64encode(part).decode()})


def told(picture):
    """The state of a picture as a browser gets it."""
    return told_value({name: getattr(picture, name) for name in picture.keys if not name.startswith("_")
                       and name not in ("layout", "tabbable", "tooltip", "comm")})


def seen(page, picture, ratio, scheme):
    """The pixels of the canvas."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate("value => Object.defineProperty(window, 'devicePixelRatio', { value, configurable: true })", ratio)
    page.evaluate(SHOW, [picture._esm, told(picture)])
    url = page.wait_for_function(DRAWN).json_value()
    return Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")


@pytest.mark.slow(keep=1)
@pytest.mark.parametrize("name", ["perceptron", *(name for name in ck.explorers.__all__ if name != "perceptron")])
def test_the_page_draws_what_agg_draws(page, name):
    """Of the blurred pictures, as Agg moves letters to whole pixels; what is missing, moved or of another color shows.

    A mark of 7 points that is missing makes 60 of 255, and what is compared with is drawn in the dark style itself.
    """
    for ratio, scheme in ((1, "light"), (2, "dark")):
        light, same = (getattr(ck.explorers, name)(style=style) for style in ("light", scheme))
        light.picture.ratio = same.picture.ratio = float(ratio)
        drawn, expected = seen(page, light.picture, ratio, scheme), same.picture.image()
        assert drawn.size == expected.size
        away = abs(np.subtract(*(
            np.asarray(image.filter(ImageFilter.GaussianBlur(4.5 * ratio)), float) for image in (drawn, expected)
        )))
        assert away.max() < 30, (ratio, scheme)
        assert away.mean() < 2, (ratio, scheme)


def test_the_picture_is_dark_as_soon_as_the_page_is_unless_its_style_was_chosen(page):
    seen(page, ck.explorers.svm().picture, 1, "light")
    for scheme, paper in (("light", [255, 255, 255]), ("dark", [20, 23, 28])):  # white, and #14171C
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"paper => {CORNER}.join() === paper.join()", arg=paper)
    seen(page, ck.explorers.svm(style="projector").picture, 1, "dark")
    assert page.evaluate(CORNER) == [255, 255, 255]


def test_a_frame_that_was_overtaken_is_not_drawn_after_a_newer_one(page):
    explorer = ck.explorers.multiclass()  # its images take a moment to unpack
    seen(page, explorer.picture, 1, "light")
    explorer.lam = 0.1
    older = explorer.picture.frame
    explorer.lam = 0.0
    shown = page.evaluate(NEXT, [told_value(older), told_value(explorer.picture.frame)])
    seen(page, explorer.picture, 1, "light")
    assert shown == page.evaluate("() => document.querySelector('canvas').toDataURL()")


# A slider moves at each frame; Python takes so many milliseconds for a value, and asks for the next one then. What was
# sent, the most that were on their way at once, and whether the number ever went back.
DRAGGED = """async ([script, takes, count]) => {
    const state = { description: "k", slides: true, ticks: [], grades: [], min: 0, max: count, step: 1, value: 0 };
    const [heard, sent, coming] = [{}, [], []];
    let [most, back] = [0, false];
    const answer = () => setTimeout(() => {
        const { newest, number } = coming.shift();
        if (coming.length) answer();
        heard["msg:custom"]({ next: newest, number });
    }, takes);
    const set = (name, value) => {
        const changes = typeof name === "string" ? { [name]: value } : name;
        back ||= changes.value < state.value;
        Object.assign(state, changes);
    };
    const model = { get: (name) => state[name], set, off() {},
                    on: (events, act) => events.split(" ").forEach((event) => { heard[event] = act; }),
                    send: (message) => {
                        sent.push(message.newest.value === state.value ? state.value : "late");
                        most = Math.max(most, coming.push(message));
                        if (coming.length === 1) answer();
                    } };
    window.gone?.();
    place.replaceChildren();
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    window.gone = (await import(url)).default.render({ model, el: place });
    const slider = place.querySelector("[type=range]");
    for (let k = 1; k <= count; k++) {
        slider.valueAsNumber = k;
        slider.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
    }
    while (coming.length) await new Promise(requestAnimationFrame);
    return [sent, most, back];
}"""


@pytest.mark.parametrize(("takes", "count", "at_once", "fewer"), [(250, 40, 1, 40), (5000, 2000, 2, 12)])
def test_a_drag_sends_the_newest_value_and_few_at_once_to_a_python_that_is_far_away(
    browser, takes, count, at_once, fewer
):
    """A line that was cut is given up after 3 s; where it was not, what comes then is of an older value."""
    page = browser.new_page()
    page.clock.install()
    page.set_content(PAGE)
    script = ck.explorers.perceptron().controls["visit"]._esm
    page.evaluate(f"given => {{ window.dragged = ({DRAGGED})(given); }}", [script, takes, count])
    page.clock.run_for(120_000)
    sent, most, back = page.evaluate("dragged")
    page.context.close()
    assert (most, back) == (at_once, False)
    assert "late" not in sent
    assert (sent[0], sent[-1]) == (1, count)
    assert len(sent) < fewer


# Where the bar's right edge, the line and the dot are, from the left, in a row of the canvas for each.
SEEN = """() => [[15, 0], [50, 1], [85, 2]].map(([row, hue]) => {
    const { data } = document.querySelector("canvas").getContext("2d").getImageData(0, row, 300, 1);
    const own = [...Array(300).keys()].filter((x) => [0, 1, 2].every((k) => (data[4 * x + k] > 128) === (k === hue)));
    return own.at(-1);
})"""


class Moving(Plot):
    """A bar from the left, a line that runs to the right, both of which glide, and a dot, which does not."""

    def __init__(self, ax):
        super().__init__(ax)
        ax.set(xlim=(0, 300), ylim=(100, 0))
        ax.axis("off")
        (bar,), (way,) = ax.barh(15, 0, 20, color="#ff0000"), ax.plot([], [], color="#00ff00", lw=5)
        self.bar, self.way = self.add(bar, glides=True), self.add(way, glides=True)
        self.dot = self.add(ax.plot([], [], "s", color="#0000ff", mew=0)[0])

    def show(self, bar, way, dot):
        self.bar.set_width(bar)
        self.way.set_data([0, *way], [50] * (1 + len(way)))
        self.dot.set_data([dot], [85])


@pytest.fixture
def moving(browser):
    """Shows the first of these states; returns what shows another, and where all is after so many milliseconds."""
    page = browser.new_page()
    page.set_content(PAGE)
    plot = Moving(Figure((3, 1), dpi=100).add_axes((0, 0, 1, 1)))
    picture = Picture(plot.ax.figure, plot.artists)
    page.add_style_tag(content=picture._css)

    def show(*state, glides=True):
        plot.show(*state)
        picture.draw("")
        page.evaluate("frame => { state.frame = revived(frame); heard['change:frame'](); }",
                      told_value(picture.frame | {"glides": glides}))

    def after(milliseconds):
        page.clock.run_for(milliseconds)
        return page.evaluate(SEEN)

    plot.show(50, [100], 40)
    picture.draw("")
    page.evaluate(SHOW, [picture._esm, told(picture)])
    page.wait_for_function(DRAWN)
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    yield page, show, after
    page.context.close()


def drawn_at(found, bar, way, dot):
    assert np.abs(np.subtract(found, (bar, way + 2, dot + 3))).max() <= 3, found


def test_what_glides_is_on_its_way_for_a_moment_and_what_does_not_changes_when_it_is_there(moving):
    _, show, after = moving
    show(150, [100, 200], 80)
    early, late = after(50), after(50)
    assert 60 < early[0] < late[0] < 145
    assert 110 < early[1] < late[1] < 198
    assert early[2] == late[2]
    drawn_at(late, late[0], late[1] - 2, 40)
    drawn_at(after(100), 150, 200, 80)


def test_nothing_glides_behind_a_hand_with_reduced_motion_or_to_a_line_of_another_shape(moving):
    page, show, after = moving
    show(150, [100, 200], 80, glides=False)
    drawn_at(after(0), 150, 200, 80)
    show(150, [30, 250, 280], 80)
    drawn_at(after(0), 150, 280, 80)
    page.emulate_media(reduced_motion="reduce")
    show(60, [100, 200], 40)
    drawn_at(after(0), 60, 200, 40)
