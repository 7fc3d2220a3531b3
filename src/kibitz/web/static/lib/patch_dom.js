// A new drawing poured into the old one: what did not change stays the same element.

/** Makes `element` like `wanted`, keeping every child that has the same id or place. */
export function merge(element, wanted) {
  for (const { name } of [...element.attributes]) {
    if (!wanted.hasAttribute(name)) element.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  mergeChildren(element, wanted);
}

export function mergeChildren(element, wanted) {
  const named = new Map([...element.children].filter((each) => each.id).map((each) => [each.id, each]));
  let at = element.firstChild;
  for (const child of [...wanted.childNodes]) {
    const kept = child.id ? named.get(child.id) : isLike(at, child) ? at : null;
    if (!kept) {
      element.insertBefore(child, at);
      continue;
    }
    if (kept === at) at = at.nextSibling;
    else element.insertBefore(kept, at);
    if (kept.nodeType === Node.ELEMENT_NODE) merge(kept, child);
    else if (kept.data !== child.data) kept.data = child.data;
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function isLike(old, child) {
  return old && old.nodeName === child.nodeName && !old.id;
}
