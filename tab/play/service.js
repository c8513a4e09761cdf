// Caches every file of the page, so that the page opens offline. `pages.py` fills in the version and the list of files.

// All pages of an origin share its caches: the names of this page's caches begin with the address of its folder.
const OWN = `gridwright ${registration.scope} `;
const VERSION = `${OWN}%VERSION%`;
// The server is asked for every file: the browser's own cache may still hold files of an earlier version.
const FILES = %FILES%.map((name) => new Request(name, { cache: "no-cache" }));

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(OWN) && name !== VERSION) await caches.delete(name);
    }
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(VERSION);
    return (await cache.match(event.request, { ignoreSearch: true })) || fetch(event.request);
  })());
});
