"""What the server knows of a lecture, whatever becomes of its pages and its kernel."""

import asyncio
import json
import shutil
import time

import pytest
from tornado.ioloop import IOLoop

from coursekit_lecture import running, serve
from coursekit_lecture.audience import Audience
from coursekit_lecture.room import Lecture


class Phones:
    """An audience without a network."""

    address, phones, present = "10.0.0.7:8899", 3, None

    def ask(self, poll):
        self.present = poll

    def close(self):
        self.present.close()


@pytest.fixture
def order():
    return running.read("2")


def votes(order):
    """Where a place is pointed at, one with choices, and one with a slider."""
    asked = [k for k, step in enumerate(order.steps) if step.asks]
    return sorted(asked, key=lambda k: bool(order.steps[k].asks.slider))


def test_pages_are_turned_anywhere_and_the_clock_begins_with_the_first(order, tmp_path):
    lecture = Lecture(order, tmp_path)
    assert lecture.told()["started"] == 0
    lecture.do({"go": 2})
    assert time.time() - lecture.started == pytest.approx(60 * order.steps[2].minute, abs=5)
    began = lecture.started
    lecture.do({"go": len(order.shown) - 1, "style": "dark"})
    assert lecture.started == began
    assert json.loads((tmp_path / "asked.json").read_text()) == lecture.asked()  # where a new kernel begins
    assert (lecture.asked()["step"], lecture.asked()["style"]) == (len(order.shown) - 1, "dark")
    lecture.do({"go": 3})
    lecture.do({"clock": True})
    assert time.time() - lecture.started == pytest.approx(60 * order.steps[3].minute, abs=5)
    with pytest.raises(ValueError, match="go must be"):
        lecture.do({"go": len(order.shown)})
    lecture.do({"clock": 1000.5})  # a page tells another server when it began
    assert lecture.told()["started"] == 1000.5


def test_the_phones_are_shown_the_way_over_any_step(order, tmp_path):
    lecture = Lecture(order, tmp_path, audience=Phones())
    for message, shown in (({"go": 0}, False), ({"join": True}, True), ({"go": 1}, True), ({"join": False}, False)):
        lecture.do(message)
        assert lecture.told()["join"] == shown


def test_keys_count_from_where_those_before_them_have_led(order, tmp_path):
    """Also when no page has heard of it yet; next to an explorer at hand is the step that it was opened from."""
    lecture, last = Lecture(order, tmp_path), len(order.steps) - 1
    steps = []
    for message in (*[{"turn": 1}] * 3, {"turn": -1}, {"go": last + 1}, {"turn": 1}, {"turn": 1}, {"go": 0},
                    {"turn": -1}, {"go": last}, {"turn": 1}):  # fmt: skip
        lecture.do(message)
        steps.append((lecture.step, lecture.told()["next"]))
    assert steps == [(1, 2), (2, 3), (3, 4), (2, 3), (last + 1, 2), (2, 3), (3, 4), (0, 1), (0, 1), (last, last),
                     (last, last)]  # fmt: skip
    lecture.do({"flip": "outcome"})  # there is none to be shown
    assert lecture.asked()["outcomes"] == []
    lecture.do({"go": votes(order)[1]})
    seen = []
    for name in ("bars", "bars", "outcome", "join", "style", "style", "style"):
        lecture.do({"flip": name})
        told = lecture.told()
        seen.append((told["bars"], told["outcome"], told["join"], told["asked"]["style"]))
    assert seen == [(True, False, False, "light"), (False, False, False, "light"), (False, True, False, "light"),
                    *((False, True, True, style) for style in ("light", "projector", "dark", "light"))]  # fmt: skip
    for _ in range(2):
        lecture.do({"hand": 1})
    assert lecture.told()["votes"]["counts"] == [0, 2, 0]


@pytest.mark.parametrize("message", [
    {"turn": 2}, {"turn": "1"}, {"flip": "step"}, {"go": -1}, {"go": 99}, {"go": "2"}, {"style": "sepia"},
    {"typed": [-1]}, {"typed": [1e9]}, {"execute": "1"}, {"clock": "1"}, {"clock": 1e12},
])
def test_what_a_page_cannot_ask_for_changes_nothing(order, tmp_path, message):
    lecture = Lecture(order, tmp_path)
    lecture.do({"go": votes(order)[1]})
    before = lecture.told()["asked"], dict(lecture.typed)
    with pytest.raises((ValueError, TypeError)):
        lecture.do(message)
    assert (lecture.told()["asked"], lecture.typed) == before


def test_hands_are_counted_and_kept_for_each_vote(order, tmp_path):
    lecture = Lecture(order, tmp_path)
    _, first, second = votes(order)
    for message, counts, outcomes in (({"go": first}, [0, 0, 0], []), ({"typed": [4, 1, 0]}, [4, 1, 0], []),
                                      ({"go": second}, [0] * 8, []), ({"go": first}, [4, 1, 0], []),
                                      ({"outcome": True}, [4, 1, 0], [first]), ({"outcome": False}, [4, 1, 0], [])):
        lecture.do(message)
        assert lecture.told()["votes"] == {"total": sum(counts), "counts": counts, "open": False}
        assert lecture.asked()["outcomes"] == outcomes
    names, right = lecture.choices(first)
    assert names[right] == order.steps[first].asks.right


def test_the_right_group_of_a_slider_holds_the_right_number(tmp_path):
    for chapter in range(1, 11):
        lecture = Lecture(running.read(str(chapter)), tmp_path)
        for k, asked in enumerate(step.asks for step in lecture.steps):
            if asked and asked.slider:
                names, right = lecture.choices(k)
                low, _, high = names[right].partition(" to ")
                assert float(low) <= asked.right <= float(high or low)


def test_phones_see_each_vote_and_the_hall_its_bars_when_they_are_shown(order, tmp_path):
    place, first, _ = votes(order)
    lecture = Lecture(order, tmp_path, audience=(phones := Phones()))
    lecture.do({"go": first})
    assert phones.present.options == tuple(order.steps[first].asks.choices)
    assert phones.present.question == order.steps[first].question
    for voter, answer in enumerate(phones.present.options):
        phones.present.vote(str(voter), answer)
    assert lecture.told()["votes"] == {"total": 3, "counts": [], "open": True}
    assert lecture.told(speaker=True)["votes"]["counts"] == [1, 1, 1]
    lecture.do({"bars": True})
    assert lecture.told()["votes"] == {"total": 3, "counts": [1, 1, 1], "open": True}
    lecture.do({"outcome": True})
    assert phones.present.closed
    assert lecture.told()["votes"] == {"total": 3, "counts": [1, 1, 1], "open": False}
    lecture.do({"go": 0})
    assert phones.present is None
    lecture.do({"go": place})
    assert phones.present is None  # a place is asked for in a picture, and there is none yet
    (tmp_path / f"{place}.png").write_bytes(b"\x89PNG")
    (tmp_path / f"{place}.json").write_text(json.dumps({"place": [[-3, 5], [-2, 4]], "box": [0, 0, 1, 1]}))
    lecture.do({"made": True})
    phones.present.vote("a", [1, 1])
    assert lecture.asked()["places"] == {}
    lecture.do({"bars": True})
    assert lecture.asked()["places"] == {place: [[1, 1]]}


def test_the_hall_is_told_nothing_that_is_the_speakers(order, tmp_path):
    lecture = Lecture(order, tmp_path)
    hall, speaker = json.dumps(lecture.hello()), json.dumps(lecture.hello(speaker=True))
    for text in (order.misconception, order.ask, order.steps[1].say, order.steps[-1].say):
        assert json.dumps(text)[1:-1] not in hall
        assert json.dumps(text)[1:-1] in speaker


@pytest.mark.usefixtures("loopless")
def test_votes_end_with_their_lecture_whatever_ends_it_and_a_killed_one_goes_on(order, tmp_path, monkeypatch):
    """One was killed, one could not begin, one goes on and breaks, one is another lecture."""
    _, first, _ = votes(order)
    file, kept, had = tmp_path / "coursekit" / f"votes-{order.name}.json", tmp_path / "kept", []
    monkeypatch.setattr(serve, "jupyter_data_dir", lambda: tmp_path)
    phones = {"port": 0, "host": "127.0.0.1"}

    def lecture(ends):
        monkeypatch.setattr(serve, "serve", lambda now, *_: ends(now))
        asyncio.set_event_loop(loop := asyncio.new_event_loop())
        with pytest.raises(RuntimeError, match="no more"):
            serve.lecture("2", phones=phones)
        loop.close()
        asyncio.set_event_loop(None)
        counted = [path for path in file.parent.iterdir() if path != file]
        return [poll["votes"] for path in counted for poll in (json.loads(path.read_text()), path.unlink())[0]]

    def breaks(now):
        async def votes():
            now.do({"go": first})
            had.append(now.audience.present.votes)
            now.audience.vote(f"voter {len(had)}", now.audience.present.options[0])
            shutil.copy(file, kept)
            raise RuntimeError("no more")

        IOLoop.current().run_sync(votes)

    def fails(_now):
        raise RuntimeError("no more")

    assert (lecture(breaks), file.exists()) == ([1], False)
    shutil.copy(kept, file)  # as if it had been killed
    assert lecture(fails) == []
    assert (lecture(breaks), file.exists(), had) == ([2], False, [0, 1])
    shutil.copy(kept, file)
    other = Audience(file, title="Another lecture in a file of this name", **phones)
    other._socket.close()
    assert (other.polls, file.exists()) == ({}, False)
