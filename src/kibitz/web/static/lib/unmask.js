// What is secret in a page comes under a mask, so that nothing can be learned from how well it compresses.

/** The value in an element, with its mask taken off: half of it is the mask, half what is under it. */
export function unmask(id) {
  const bytes = Uint8Array.from(atob(JSON.parse(document.getElementById(id).textContent)), (letter) => letter.charCodeAt(0));
  const half = bytes.length / 2;
  return JSON.parse(new TextDecoder().decode(bytes.slice(half).map((byte, i) => byte ^ bytes[i])));
}
