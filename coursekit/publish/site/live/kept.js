// Keeps what a page that came alive had loaded: the next visit is sooner and needs no network. What is named by its
// content is not asked for again; all else, the pages first of all, is asked for each time, and kept for when nobody
// answers. A site that was built anew comes with an address of its own for this file, a new cache, and the old one goes.
const SITE = new URL("read/", location).href; // one cache for the chapters and the start page
const KEPT = SITE + location.search;
const NAMED = /[0-9a-f]{16}[/.]/;

async function keep(addresses) {
  const cache = await caches.open(KEPT);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const fresh = addresses.filter((address) => !known.has(address));
  await cache.addAll(fresh.map((address) => new Request(address, NAMED.test(address) ? { cache: "force-cache" } : {})));
}

async function answer(event) {
  const { request } = event;
  const cache = await caches.open(KEPT);
  const kept = await cache.match(request);
  if (kept && NAMED.test(request.url)) { // a browser's own copy is the better one: it comes with what was compiled of it
    const own = await fetch(request, { cache: "only-if-cached", mode: "same-origin" }).catch(() => kept);
    return own.ok ? own : kept;
  }
  try {
    const fresh = await fetch(request);
    if (kept && fresh.ok) event.waitUntil(cache.put(request, fresh.clone()));
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(SITE) && name !== KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
}

oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(tidy());
onmessage = (event) => event.waitUntil(keep(event.data));
onfetch = (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(location.origin)) event.respondWith(answer(event));
};
