"""A reading page in Firefox, which is driven over its own socket: no other driver comes with pip or with Debian."""

import json
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from typing import Any

import pytest

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
PREFERENCES = {"marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.firstRunURL": ""}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox on PATH: `apt install firefox-esr`"),
    pytest.mark.skipif(shutil.which("node") is None, reason="no node on PATH: `apt install nodejs`"),
]
KEYS = {"End": "\ue010", "Home": "\ue011"}


class Firefox:
    """One window of a Firefox without a screen, told by its Marionette protocol: LENGTH:[0, number, name, {...}]."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("localhost", port), timeout=300)
        self.number = 0
        self._read()
        self.tell("WebDriver:NewSession", capabilities={})
        self.tell("WebDriver:SetTimeouts", script=240_000)

    def tell(self, name: str, **told: Any) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, name, told])
        self.socket.sendall(f"{len(message.encode())}:{message}".encode())
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self) -> Any:
        digits = b""
        while (one := self.socket.recv(1)) != b":":
            assert one, "Firefox has closed"
            digits += one
        content = b""
        while len(content) < int(digits):
            content += self.socket.recv(int(digits) - len(content))
        return json.loads(content)

    def run(self, script: str, *given: Any) -> Any:
        """What a script of the page returns."""
        return self.tell("WebDriver:ExecuteScript", script=script, args=[*given])["value"]

    def wait(self, condition: str, seconds: float = 240) -> Any:
        deadline = time.monotonic() + seconds
        while not (found := self.run(f"return {condition}")):
            assert time.monotonic() < deadline, f"never came true: {condition}"
            time.sleep(0.2)
        return found

    def press(self, key: str) -> None:
        actions = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.tell("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])


@pytest.fixture
def firefox(tmp_path):
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (tmp_path / "user.js").write_text("".join(lines))
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port, deadline = tmp_path / "MarionetteActivePort", time.monotonic() + 120
        while not (port.exists() and port.read_text()):
            assert process.poll() is None, "Firefox has ended"
            assert time.monotonic() < deadline, "Firefox did not start"
            time.sleep(0.1)
        yield (running := Firefox(int(port.read_text())))
        with suppress(AssertionError, OSError):
            running.tell("Marionette:Quit", flags=["eForceQuit"])
        process.wait(30)
    finally:
        process.kill()


def test_a_page_comes_alive_in_firefox_and_a_slider_moves(firefox, site_address):
    firefox.tell("WebDriver:Navigate", url=f"{site_address}read/02-perceptron.html")
    live = "document.querySelector('.ck-live:not(.ck-coming)')"
    firefox.wait(live)
    before = firefox.run(f"return {live}.querySelector('.ck-sentence').textContent")
    pixels = f"return {live}.querySelector('canvas').toDataURL()"
    seen = firefox.run(pixels)
    firefox.run(f"{live}.querySelector('[role=slider][aria-label=visit]').focus()")
    firefox.press("End")
    said = f"{live}.querySelector('.ck-sentence').textContent"
    firefox.wait(f"{said} !== {json.dumps(before)}", 60)
    assert firefox.run(pixels) != seen
    firefox.wait("document.querySelector('.ck-status').textContent === ''")
    assert firefox.run("return document.querySelectorAll('.ck-still').length") == 0
