// What a screen reader says: politely what happened, at once what is urgent.
const saying = new Map();

/** The latest is said, and with no text nothing more of the earlier ones. */
export function announce(name, text) {
  const region = document.getElementById(name);
  cancelAnimationFrame(saying.get(name));
  region.textContent = "";
  if (text) saying.set(name, requestAnimationFrame(() => { region.textContent = text; }));
}
