"""A reading page in Firefox, which is driven over its own socket: no other driver comes with pip or with Debian."""

import json
import shutil
import socket
import subprocess
from contextlib import suppress
from typing import Any

import pytest

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
PREFERENCES = {"marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.firstRunURL": ""}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox on PATH: `apt install firefox-esr`, on Ubuntu firefox"),
]


class Firefox:
    """One window of a Firefox without a screen, told by its Marionette protocol: LENGTH:[0, number, name, {...}]."""

    def __init__(self, port: int) -> None:
        self.stream = socket.create_connection(("localhost", port), timeout=300).makefile("rwb")
        self.number = 0
        self._read()
        self.tell("WebDriver:NewSession", capabilities={})
        self.tell("WebDriver:SetTimeouts", script=240_000)

    def tell(self, name: str, **told: Any) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, name, told]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        digits = b""
        while (one := self.stream.read(1)) != b":":
            assert one, "Firefox has closed"
            digits += one
        return json.loads(self.stream.read(int(digits)))

    def run(self, script: str) -> Any:
        """What a script of the page returns."""
        return self.tell("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def wait(self, condition: str) -> None:
        look = f"const [done] = arguments, look = () => {condition} ? done() : setTimeout(look, 100); look();"
        self.tell("WebDriver:ExecuteAsyncScript", script=look, args=[])


@pytest.fixture
def firefox(tmp_path):
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (tmp_path / "user.js").write_text("".join(lines))
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            port = next(int(line.split()[-1]) for line in process.stdout if "Listening on port" in line)
            yield (running := Firefox(port))
            with suppress(AssertionError, OSError):
                running.tell("Marionette:Quit", flags=["eForceQuit"])
            process.wait(30)
        finally:
            process.kill()


def test_a_page_comes_alive_in_firefox_and_a_slider_moves(firefox, site_address):
    firefox.tell("WebDriver:Navigate", url=f"{site_address}read/02-perceptron.html")
    live = "document.querySelector('.ck-live:not(.ck-coming)')"
    firefox.wait(live)
    said, pixels = f"{live}.querySelector('.ck-sentence').textContent", f"{live}.querySelector('canvas').toDataURL()"
    before, seen = firefox.run(f"return {said}"), firefox.run(f"return {pixels}")
    firefox.run(f"{live}.querySelector('[role=slider][aria-label^=emails]').focus()")
    end = [{"type": kind, "value": "\ue010"} for kind in ("keyDown", "keyUp")]
    firefox.tell("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": end}])
    firefox.wait(f"{said} !== {json.dumps(before)}")
    assert firefox.run(f"return {pixels}") != seen
    firefox.wait("document.querySelector('.ck-status').textContent === ''")
    assert firefox.run("return document.querySelectorAll('.ck-still').length") == 0
