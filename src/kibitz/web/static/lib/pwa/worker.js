// Answers for pages that are kept (lib/pwa/offline.js) when there is no network, and brings whoever is
// told of a turn to the table. It keeps nothing itself: what is kept was fetched without cookies.
const TIMEOUT_MS = 5000;
/** Where the server is on its site. */
const AT = new URL("./", location.href).pathname;

addEventListener("install", () => /** @type {any} */ (self).skipWaiting());

addEventListener("activate", (/** @type {any} */ event) => {
  // Pages are asked for while we wake up.
  event.waitUntil(/** @type {any} */ (self).registration.navigationPreload?.enable());
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (["assets/", "rules/", "learn/"].some((place) => pathname.startsWith(AT + place))) event.respondWith(part(request));
});

/** The page as the server has it; as it was kept, if the server is silent for long. */
async function page({ preloadResponse, request }, pathname) {
  const fetched = Promise.resolve(preloadResponse).then((answer) => answer ?? fetch(request));
  const kept = await caches.match(pathname, { ignoreVary: true });
  if (!kept) return fetched.catch(() => instead(pathname));
  return Promise.race([fetched.catch(() => kept), new Promise((done) => { setTimeout(done, TIMEOUT_MS, kept); })]);
}

/** A book is kept by its own page; anything else is not here. */
async function instead(pathname) {
  const isBook = new RegExp(`^${AT}book/\\w+$`).test(pathname);
  const found = isBook && await caches.match(`${AT}offline/book`, { ignoreVary: true });
  return found || await caches.match(`${AT}offline`, { ignoreVary: true }) || Response.error();
}

async function part(request) {
  return fetch(request).catch(async () => await caches.match(request, { ignoreVary: true }) ?? Response.error());
}

addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification.data));
});

async function bring(address) {
  const { clients } = /** @type {any} */ (self);
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find(({ url }) => url === address);
  await (open ? open.focus() : clients.openWindow(address));
}
