"""What the page of an exercise says is about what is written on it now, by whichever way it came there."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_live_cells import RIGHT, exercise

WRONG = "def update(theta, x, y):\n    return theta + y * np.append(x, 1)"
TICK = "✓ update"


@pytest.mark.slow
def test_a_verdict_is_about_the_text_that_is_there(visitor, site_address):
    live = exercise(visitor, site_address)
    asked, changed = live.cell("update-check").get_by_role("status"), live.cell("update").get_by_role("status")
    live.area("update").fill(WRONG)
    assert TICK not in live.run("update-check")
    live.area("update").fill(RIGHT)
    expect(changed).to_have_text("The text has changed since it ran: run it again.")
    expect(asked).to_have_text("A cell above has changed since this was said: run this again.")
    assert TICK in live.run("update-check")  # the same button, and nothing else was run
    expect(asked).to_have_text("")
    expect(changed).to_have_text("")
    live.area("update").fill(WRONG)
    assert TICK not in live.run("update-check")

    # A cell of the reader's own has run, and is changed; what lies below it follows.
    live.cell("update").get_by_role("button", name="New cell").click()
    own = live.page.locator(".ck-editor textarea:focus").element_handle()
    own.fill("sign = -1")
    own.press("Shift+Enter")
    live.cell("update-check").get_by_role("button", name="Run").wait_for()
    own.fill("update = lambda theta, x, y: theta + y * np.append(x, 1) * (y * (theta[:-1] @ x + theta[-1]) <= 0)")
    own.press("Shift+Enter")
    assert TICK in live.run("update-check")
    own.fill("def update(theta, x, y): return theta")
    assert TICK not in live.run("update-check")
    live.area("update").fill(RIGHT)
    assert TICK not in live.run("update-check")  # the own cell lies between, and runs after it
    own.fill("1 / 0")
    own.press("Shift+Enter")
    expect(asked).to_have_text("A cell above has changed since this was said: run this again.")

    # What was left comes back unrun: it runs before it is judged.
    live.page.reload()
    live.started()
    assert TICK in live.run("update-check")
