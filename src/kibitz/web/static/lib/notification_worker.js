// Shows that it is somebody's turn, and brings them to the table. It keeps no pages and answers no
// requests, so nothing of it can go stale.
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
