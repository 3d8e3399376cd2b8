"""What goes before Pyodide's own script: parts of Python come whole in whatever pieces, once more, or with a reason."""

import gzip
import json
import random
import shutil
import subprocess

import pytest
from zstandard import ZstdCompressor

from coursekit_site.bytecode import HERE

# Asks served.mjs for a part, case by case: the answers lie in files beside it, and come in pieces of a size.
ASKED = """import { readFileSync } from "node:fs";
const read = (name) => readFileSync(new URL(name, import.meta.url));
let [told, answers, size] = [null, [], 0];
globalThis.location = import.meta.url;
globalThis.came = () => {};
globalThis.reportError = ({ message }) => told.reported.push(message);
console.info = (text) => told.said.push(text);
globalThis.fetch = async (url, { cache } = {}) => {
    if (`${url}`.endsWith("zstd.bin")) return new Response(read("zstd.bin"));
    told.caches.push(cache);
    const [name, type = "text/plain"] = answers.shift().split(" "), bytes = name ? read(name) : new Uint8Array();
    const body = new ReadableStream({ start(to) {
        for (let at = 0; at < bytes.length; at += size) to.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
        to.close();
    } });
    return new Response(body, { status: Number(type) || 200, headers: { "content-type": type } });
};
await import("./served.mjs");
const all = [];
for ([size, ...answers] of JSON.parse(process.argv[2])) {
    all.push((told = { caches: [], reported: [], said: [] }));
    const given = fetch(new URL("later.bin", import.meta.url)).then((answer) => answer.arrayBuffer());
    told.same = await given.then((bytes) => Buffer.compare(Buffer.from(bytes), read("content")) === 0, () => false);
}
console.log(JSON.stringify(all));
"""
# Asks manager.mjs for the widgets' scripts, which come by gzip: as far as the first of them is put into the page.
WIDGETS = """import { readFileSync } from "node:fs";
const { libraries } = await import("./manager.mjs");
const answers = process.argv.slice(2), caches = [];
let given = null;
globalThis.window = globalThis;
globalThis.document = { createElement: () => ({}), head: { append: (script) => setTimeout(script.onload) } };
URL.createObjectURL = (blob) => { given = blob; return "blob:"; };
globalThis.fetch = async (url, { cache }) => {
    caches.push(cache);
    const [name, status = 200] = answers.shift().split(" ");
    return new Response(readFileSync(new URL(name, import.meta.url)), { status: Number(status) });
};
const why = await libraries().catch(({ message }) => message);
console.log(JSON.stringify([caches, await given?.text() ?? "", why]));
"""
WHOLE = 3 << 17  # bytes: as many as three blocks of Zstandard have, so that an answer may end with a full one
SIZES = 1 << 10, 1 << 16, (1 << 17) + 3, (1 << 17) + 12, 1 << 18, 1 << 21
DAMAGED = {**dict.fromkeys(("flipped", "half", "longer", "", "page"), "is not as it was built"),
           "page text/html": "the server sends a page in place of", "whole 503": "the server answers 503 for"}
CASES = [(size, "whole") for size in SIZES] + [(1 << 16, one, next_) for one in DAMAGED for next_ in ("whole", one)]


@pytest.fixture(scope="module")
def came(tmp_path_factory):
    """What came of each case."""
    if shutil.which("node") is None:
        pytest.skip("no node on PATH: `apt install nodejs`")
    here = tmp_path_factory.mktemp("served")
    shutil.copy(HERE / "live" / "served.js", here / "served.mjs")
    (here / "asked.mjs").write_text(ASKED)
    (here / "zstd.bin").write_bytes(gzip.compress((HERE / "live" / "zstd.wasm").read_bytes()))
    content = random.Random(0).randbytes(WHOLE)
    whole = ZstdCompressor(write_checksum=True).compress(content)
    flipped = bytearray(whole)
    flipped[200_000] ^= 1
    for name, told in {"content": content, "whole": whole, "flipped": flipped, "half": whole[: len(whole) // 2],
                       "longer": whole + b"more", "page": b"<!DOCTYPE html><title>Error</title>"}.items():
        (here / name).write_bytes(told)
    command = ["node", here / "asked.mjs", json.dumps(CASES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(zip(CASES, json.loads(done.stdout), strict=True))


def test_in_whatever_pieces_a_part_comes_it_is_what_was_packed(came):
    right = {"caches": ["default"], "reported": [], "said": [], "same": True}
    assert [came[size, "whole"] for size in SIZES] == [right] * len(SIZES)


@pytest.mark.parametrize(("answer", "reason"), DAMAGED.items())
def test_a_damaged_part_is_asked_for_once_more_past_what_is_kept(came, answer, reason):
    told = came[1 << 16, answer, "whole"]
    assert told["same"]
    assert told["caches"] == ["default", "reload"]
    assert told["reported"] == []
    assert [reason in said for said in told["said"]] == [True]


@pytest.mark.parametrize(("answer", "reason"), DAMAGED.items())
def test_what_comes_damaged_twice_is_refused_by_name(came, answer, reason):
    told = came[1 << 16, answer, answer]
    assert not told["same"]
    assert told["caches"] == ["default", "reload"]
    assert [reason in said and "later.bin" in said for said in told["reported"]] == [True]


@pytest.mark.parametrize(("answers", "told"), [
    (["whole"], ""), (["flipped", "whole"], ""), (["half", "whole"], ""), (["whole 503", "whole"], ""),
    (["flipped", "half"], "controls.bin is not as it was built"), (["half", "whole 404"], "controls.bin did not come"),
])
def test_the_widgets_that_come_damaged_are_asked_for_once_more(tmp_path, answers, told):
    if shutil.which("node") is None:
        pytest.skip("no node on PATH: `apt install nodejs`")
    shutil.copy(HERE / "live" / "manager.js", tmp_path / "manager.mjs")
    (tmp_path / "asked.mjs").write_text(WIDGETS)
    whole = gzip.compress(b"widgets" * 1000)
    flipped = bytearray(whole)
    flipped[-6] ^= 1
    for name, content in {"whole": whole, "flipped": flipped, "half": whole[: len(whole) // 2]}.items():
        (tmp_path / name).write_bytes(content)
    command = ["node", tmp_path / "asked.mjs", *answers]
    caches, given, why = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert caches == ["default", "reload"][: len(answers)]
    assert given == ("" if told else "widgets" * 1000)
    assert why.endswith(told or "controls.js is not as it was built")  # what was put into the page defined nothing
