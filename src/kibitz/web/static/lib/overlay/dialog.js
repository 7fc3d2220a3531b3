// The one dialog: a sheet from below on a phone, a box on a desk.
const dialog = document.getElementById("sheet");
const title = document.getElementById("sheet-title");
const body = document.getElementById("sheet-body");
let whenClosed = null;

document.getElementById("sheet-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
dialog.addEventListener("close", () => {
  if (dialog.open) return; // Something else is on it by now.
  const done = whenClosed;
  whenClosed = null;
  done?.();
  if (!dialog.open) body.replaceChildren();
});

/** `kind`: "corner" for a menu, "tall" for something to read. */
export function openSheet(heading, content, { kind = "", onClose = null } = {}) {
  whenClosed?.();
  whenClosed = null;
  title.textContent = heading;
  body.replaceChildren(...[content].flat());
  dialog.className = `sheet ${kind}`;
  whenClosed = onClose;
  if (!dialog.open) dialog.showModal();
  body.scrollTop = 0;
  return dialog;
}

export function closeSheet() {
  if (dialog.open) dialog.close();
}

export function sheetIsOpen() {
  return dialog.open;
}
