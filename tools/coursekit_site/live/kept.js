// Keeps what a page that came alive had loaded: the next visit is sooner and needs no network. What is named by its
// content is not asked for again; all else, the pages first of all, is asked for each time, and kept for when nobody
// answers. A site that was built anew comes with an address of its own for this file, a new cache, and the old one goes.
const SITE = new URL("read/live-", location).href; // one cache for the chapters and the start page
const KEPT = new URL(location.search.slice(1), location).href; // named by the folder of this version's scripts
const NAMED = /[0-9a-f]{16}[/.]/;

const digest = async (bytes) => `${new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))}`;

async function put(cache, request, answer) { // once all of it is here: until then stays what it replaces
  if (!answer.ok) return;
  const headers = new Headers(answer.headers), bytes = await answer.arrayBuffer();
  headers.set("x-digest", await digest(bytes));
  await cache.put(request, new Response(bytes, { headers }));
}

async function keep(addresses) { // one by one, so that none keeps the others out; the page itself comes last
  const cache = await caches.open(KEPT);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  for (const address of addresses.filter((one) => !known.has(one))) {
    const mode = NAMED.test(address) ? "force-cache" : "default";
    try { await put(cache, address, await fetch(address, { cache: mode })); } catch (error) { console.info(error.message); }
  }
}

// Made by a page. To pack Python's memory, a quarter as large by gzip, takes seconds: from nobody here, and it goes on when
// the page has gone.
async function remember({ address, bytes, headers, pack }) {
  const body = pack ? bytes.stream().pipeThrough(new CompressionStream("gzip")) : bytes;
  await put(await caches.open(KEPT), address, new Response(body, { headers }));
}

async function heard(request) { // where something was kept, a server that is silent is as good as none
  const ended = new AbortController(), late = setTimeout(() => ended.abort(), 8000);
  try { return await fetch(request, { signal: ended.signal }); } finally { clearTimeout(late); }
}

async function answer(event) {
  const { request } = event;
  const cache = await caches.open(KEPT).catch(() => null); // a browser that has no room for it
  const kept = await cache?.match(request).catch(() => undefined);
  if (kept && NAMED.test(request.url) && request.cache !== "reload") {
    // A browser's own copy is the better one: it comes with what was compiled of it.
    const own = await fetch(request, { cache: "only-if-cached", mode: "same-origin" }).catch(() => null);
    if (own?.ok) return own;
    const bytes = await kept.clone().arrayBuffer();
    if ((await digest(bytes)) === kept.headers.get("x-digest")) return kept;
    await cache.delete(request); // it is damaged
  }
  try {
    const fresh = await (kept ? heard(request) : fetch(request));
    if (kept) event.waitUntil(put(cache, request, fresh.clone()));
    return fresh;
  } catch {
    return kept ?? fetch(request.url, { cache: "force-cache" }); // the browser may have it where nothing was kept
  }
}

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(SITE) && name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
}

oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(tidy());
onmessage = (event) => {
  const { addresses, made } = event.data;
  event.waitUntil(keep(addresses).then(() => Promise.all(made.map(remember))));
};
onfetch = (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(location.origin)) event.respondWith(answer(event));
};
