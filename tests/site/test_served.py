"""What goes before Pyodide's own script: parts of Python come whole in whatever pieces, once more, or with a reason."""

import gzip
import json
import random
import shutil
import subprocess

import pytest
from zstandard import ZstdCompressor

from coursekit_site.bytecode import HERE, ours

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
const answers = process.argv.slice(2), caches = [];
console.info = () => {};
let given = null;
globalThis.window = globalThis;
globalThis.document = { createElement: () => ({}), head: { append: (script) => setTimeout(script.onload) } };
URL.createObjectURL = (blob) => { given = blob; return "blob:"; };
globalThis.fetch = async (url, { cache }) => {
    caches.push(cache);
    const [name, status = 200] = answers.shift().split(" ");
    return new Response(readFileSync(new URL(name, import.meta.url)), { status: Number(status) });
};
await import("./whole.mjs");
const { libraries } = await import("./manager.mjs");
const why = await libraries().catch(({ message }) => message);
console.log(JSON.stringify([caches, await given?.text() ?? "", why]));
"""
# Tells a page of the site that Python cannot start: case by case, why, whether it was loaded again already, and the
# answers for each of its files at the first request and after. What it says, or that it loads itself again.
REASONS = """import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
const read = (name) => readFileSync(new URL(name, import.meta.url));
const site = new URL("https://example.org/some/path/"), said = [];
console.info = () => {};
const checksum = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
for (const [why, type, ...answers] of JSON.parse(process.argv[2])) {
    const files = Object.keys(answers[0]), asked = new Map();
    const dataset = { files: files.map((name) => `${name}#${checksum("whole")}`).join(" ") };
    const made = (_name, _props, text) => text;
    await new Promise((ends) => {
        const end = (...parts) => parts.length === 1 || ends(said.push(parts.join("")));
        const anew = () => "Load the page again", getAttribute = () => "start.js?0";
        globalThis.coursekit = { own: { dataset, getAttribute }, site, made, anew, say: end };
        globalThis.self = { origin: site.origin };
        globalThis.window = { DecompressionStream, ResizeObserver: null, IntersectionObserver: null };
        globalThis.document = { documentElement: { classList: { remove() {} } } };
        globalThis.location = { protocol: "https:", href: site.href, reload: () => ends(said.push("again")) };
        globalThis.addEventListener = () => {};
        performance.getEntriesByType = () => [{ type }];
        globalThis.fetch = async (what, { cache, integrity }) => {
            const name = `${what}`.replace(site.href, "").split("#")[0];
            if (!name) return new Response("");
            if (cache === "reload") asked.set(name, 1);
            const text = answers[asked.get(name) ?? 0]?.[name] ?? answers[0][name];
            if (text === "" || (integrity && integrity !== checksum(text))) throw new TypeError("Failed to fetch");
            const kind = name.endsWith(".js") ? "text/javascript" : "text/plain";
            return new Response(text, { status: Number(text) || 200, headers: { "content-type": kind } });
        };
        new Function(`${read("whole.mjs")}${read("reasons.js")}`)();
        coursekit.cannot(why);
    });
}
console.log(JSON.stringify(said));
"""
WHOLE = 3 << 17  # bytes: as many as three blocks of Zstandard have, so that an answer may end with a full one
SIZES = 1 << 10, 1 << 16, (1 << 17) + 3, (1 << 17) + 12, 1 << 18, 1 << 21
DAMAGED = {**dict.fromkeys(("flipped", "half", "longer", "", "page"), "is not as it was built"),
           "page text/html": "the server sends a page in place of", "whole 503": "the server answers 503 for"}
CASES = [(size, "whole") for size in SIZES] + [(1 << 16, one, next_) for one in DAMAGED for next_ in ("whole", one)]


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """node(script, *arguments, **files): what a module prints that whole.mjs and these files lie beside."""
    if shutil.which("node") is None:
        pytest.skip("no node on PATH: `apt install nodejs`")

    def run(script, *arguments, **files):
        here = tmp_path_factory.mktemp("served")
        whole = (HERE / "head" / "whole.js").read_text()
        for name, told in {"asked.mjs": script, "whole.mjs": whole, **files}.items():
            (here / name).write_bytes(told if isinstance(told, bytes) else told.encode())
        command = ["node", here / "asked.mjs", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    return run


@pytest.fixture(scope="module")
def came(node):
    """What came of each case."""
    content = random.Random(0).randbytes(WHOLE)
    whole = ZstdCompressor(write_checksum=True).compress(content)
    flipped = bytearray(whole)
    flipped[200_000] ^= 1
    told = node(ASKED, json.dumps(CASES), content=content, whole=whole, flipped=bytes(flipped),
                half=whole[: len(whole) // 2], longer=whole + b"more", page=b"<!DOCTYPE html><title>Error</title>", **{
                    "served.mjs": ours("head/whole.js", "live/served.js"),
                    "zstd.bin": gzip.compress((HERE / "live" / "zstd.wasm").read_bytes())})
    return dict(zip(CASES, json.loads(told), strict=True))


def test_in_whatever_pieces_a_part_comes_it_is_what_was_packed(came):
    right = {"caches": ["default"], "reported": [], "said": [], "same": True}
    assert [came[size, "whole"] for size in SIZES] == [right] * len(SIZES)


@pytest.mark.parametrize(("answer", "reason"), DAMAGED.items())
def test_a_damaged_part_is_asked_for_once_more_past_what_is_kept_and_then_refused_by_name(came, answer, reason):
    once, twice = came[1 << 16, answer, "whole"], came[1 << 16, answer, answer]
    assert (once["same"], twice["same"]) == (True, False)
    assert once["caches"] == twice["caches"] == ["default", "reload"]
    assert once["reported"] == []
    assert [reason in said for said in once["said"]] == [True]
    assert [reason in said and "later.bin" in said for said in twice["reported"]] == [True]


def test_what_a_browser_does_not_know_is_no_damage(node):
    said = node("""globalThis.fetch = async () => new Response("whole");
        await import("./whole.mjs");
        await whole("https://a.org/b.bin", async () => new Unheard()).catch(({ message }) => console.log(message));
        """)
    assert said == "Unheard is not defined\n" * 2  # at the second request, too


@pytest.mark.parametrize(("answers", "told"), [
    (["whole"], ""), (["flipped", "whole"], ""), (["half", "whole"], ""), (["whole 503", "whole"], ""),
    (["flipped", "half"], "controls.bin is not as it was built"), (["half", "whole 404"], "404 for "),
])
def test_the_widgets_that_come_damaged_are_asked_for_once_more(node, answers, told):
    whole = gzip.compress(b"widgets" * 1000)
    flipped = bytearray(whole)
    flipped[-6] ^= 1
    caches, given, why = json.loads(node(WIDGETS, *answers, whole=whole, flipped=bytes(flipped),
                                         half=whole[: len(whole) // 2],
                                         **{"manager.mjs": (HERE / "live" / "manager.js").read_text()}))
    assert caches == ["default", "reload"][: len(answers)]
    assert given == ("" if told else "widgets" * 1000)
    assert (told or "controls.js defines nothing") in why  # what was put into the page


def test_a_page_says_which_script_is_damaged_or_loads_itself_again_where_it_came_whole_then(node):
    whole, cut = dict.fromkeys(("worker.js", "pyodide.js", "lock.json"), "whole"), "Uncaught SyntaxError: its end"
    half = {name: whole | {name: "half"} for name in whole}
    first = "/some/path/worker.js"
    told = [
        *((("", "navigate", half[name], whole), "again") for name in whole),
        *(((why, kind, half[name]), f"The reason: /some/path/{name} is not as it was built.")
          for name in whole for why in ("", cut) for kind in ("navigate", "reload")),
        (("", "reload", half["worker.js"], whole),
         f"{first} was not as it was built, and is now. Load the page again."),
        (("", "navigate", whole), "again"),  # it was damaged where nothing is kept
        (("", "reload", whole), "this browser refused it and did not say why."),
        ((cut, "navigate", whole), "again"),
        ((cut, "reload", whole), "this browser is too old: its end."),
        (("TypeError: at is not a function\n7", "navigate", whole), "this browser is too old: at is not a function."),
        (("PythonError: a\nNameError: b is not defined", "navigate", whole), "The reason: a."),
        (("This document requires 'TrustedScriptURL' assignment.", "navigate", whole),
         "the server's policy forbids it (Content-Security-Policy: require-trusted-types-for 'script')."),
        (("Error: no memory", "navigate", whole), "The reason: no memory."),
        (("", "navigate", whole | {"worker.js": "404"}), f"the server answers 404 for {first}."),
        (("", "navigate", whole | {"worker.js": ""}), f"The reason: {first} did not load."),
    ]
    said = json.loads(node(REASONS, json.dumps([case for case, _ in told]),
                           **{"reasons.js": (HERE / "head" / "reasons.js").read_text()}))
    assert [one for one, (_, end) in zip(said, told, strict=True) if not one.endswith(end)] == []
    assert [one == "again" for one in said] == [end == "again" for _, end in told]
