"""A file is written as a whole or not at all."""

from pathlib import Path

import pytest

from coursekit.core.files import write


def test_a_full_disk_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch):
    def full(self, content):
        self.write_text("half")
        raise OSError(28, "No space left on device")

    for content in (b"one", b"two"):
        write(tmp_path / "a.txt", content)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.txt": content}
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "a.txt", b"three")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.txt": b"two"}
