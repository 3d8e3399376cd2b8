"""Without a node that can compile the course, its reading pages stay still, and the site says why."""

import pytest

from coursekit.publish.site.bytecode import NotCompiled, bundle


@pytest.mark.parametrize(("node", "why"), [
    (None, "needs node, which is not on PATH"),
    ("#!/bin/sh\necho first >&2\necho 'node is too old' >&2\nexit 1\n", "compile the course: node is too old"),
    ("#!/bin/sh\nexit 1\n", r"could not compile the course: \?"),
])
def test_a_node_that_cannot_compile_changes_nothing(tmp_path, monkeypatch, node, why):
    (tmp_path / "static" / "pyodide").mkdir(parents=True)
    (places := tmp_path / "bin").mkdir()
    if node:
        (places / "node").write_text(node)
        (places / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(places))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(NotCompiled, match=why):
        bundle(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
