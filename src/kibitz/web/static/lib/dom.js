// Making elements. Text goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: make("button", { class: "btn", onclick }, "Play"). */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function icon(name, size = "") {
  return draw("svg", { class: `ico ${size}`, "aria-hidden": "true" },
    draw("use", { href: `#i-${name}` }));
}

/** Markup of our own server (drawings, the rule book) as nodes. */
export function nodes(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}
