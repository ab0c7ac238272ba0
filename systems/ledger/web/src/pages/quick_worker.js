// Quick add without a connection: the page as it was last loaded, and its style and script.
"use strict";
const CACHE = "hansang-ledger-add";
const PAGE = "/console/ledger/add";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const path = new URL(url).pathname;
  if (method !== "GET" || (path !== PAGE && !path.startsWith("/assets/ledger-add"))) return;
  const load = async () => {
    const cache = await caches.open(CACHE);
    try {
      const response = await fetch(event.request);
      // Not the page for signing in.
      if (response.ok && !response.redirected) await cache.put(path, response.clone());
      return response;
    } catch {
      return (await cache.match(path)) || Response.error();
    }
  };
  event.respondWith(load());
});
