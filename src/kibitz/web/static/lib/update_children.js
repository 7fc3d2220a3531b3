// What is shown, made anew without disturbing what stays: somebody may be typing, or have a finger on
// a button. A button that changed is another one: a press that began on the old one does nothing.
const HANDLERS = ["onclick", "onsubmit", "onchange", "oninput", "onkeydown"];

/** Makes what is in `host` like `fresh`, an array of nodes. */
export function updateChildren(host, fresh) {
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const key = host.contains(focused) ? focused.dataset.key : null;
  children(host, fresh.flat(Infinity).filter((child) => child != null && child !== false && child !== "").map(asNode));
  if (key && !host.contains(document.activeElement)) host.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(child);
}

/** What only moves up or down, as something above it came or went, stays the element it is. */
function children(host, fresh) {
  let old = host.firstChild;
  fresh.forEach((child, i) => {
    const stays = following(old).find((each) => each.isEqualNode(child));
    if (stays) {
      while (old !== stays) old = removeNode(old);
    } else if (!old || fresh.slice(i + 1).some((each) => each.isEqualNode(old))) {
      host.insertBefore(child, old);
      return;
    }
    const next = old.nextSibling;
    one(old, child);
    old = next;
  });
  while (old) old = removeNode(old);
}

function following(node) {
  const all = [];
  for (let each = node; each; each = each.nextSibling) all.push(each);
  return all;
}

function removeNode(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function one(old, fresh) {
  const isSame = old.isEqualNode(fresh);
  if (!isSame && (old.nodeType !== Node.ELEMENT_NODE || !isAlike(old, fresh))) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) return;
  for (const name of HANDLERS) old[name] = fresh[name];
  if (!isSame) {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.type === "radio" || old.type === "checkbox") old.checked = fresh.checked;
  children(old, [...fresh.childNodes]);
}

function isAlike(old, fresh) {
  return old.nodeName === fresh.nodeName && old.nodeName !== "BUTTON" && old.dataset?.key === fresh.dataset?.key && old.namespaceURI === fresh.namespaceURI;
}
