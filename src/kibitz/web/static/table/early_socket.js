// A socket that is opened while the rest of the page is still on its way: on a slow line the table's
// first view comes together with the script that draws it.
const page = /** @type {any} */ (globalThis);

export function openEarlySocket(address) {
  const early = { address, socket: new WebSocket(address), messages: [] };
  early.socket.onmessage = (message) => early.messages.push(message);
  page.earlySocket = early;
}

/** The socket opened early, once and if it is to this address, and what came by it; else nothing. */
export function takeEarlySocket(address) {
  const early = page.earlySocket;
  delete page.earlySocket;
  if (early?.address === address && early.socket.readyState <= WebSocket.OPEN) return early;
  early?.socket.close();
  return null;
}
