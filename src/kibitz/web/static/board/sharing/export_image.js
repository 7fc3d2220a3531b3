// A drawing that leaves the page: its colours written out, on paper, as SVG or as PNG.
import { draw, nodes } from "../../lib/dom.js";

const MARGIN_UNITS = 12;
/** The longer side of a PNG, in pixels. */
const LONGER_SIDE_PX = 1600;

/** The text of an SVG file. */
export function svgFile(markup) {
  const svg = nodes(markup).firstElementChild;
  const { x, y, width, height } = box(svg);
  for (const part of svg.querySelectorAll(".l-hit")) part.remove();
  svg.prepend(draw("rect", { x, y, width, height, fill: "var(--paper)" }));
  for (const [name, value] of Object.entries({ role: "img", viewBox: [x, y, width, height].join(" "), width, height })) svg.setAttribute(name, value);
  const colours = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(svg);
  return text.replace(/var\(--([\w-]+)\)/g, (_, name) => colours.getPropertyValue(`--${name}`).trim());
}

export async function pngOf(text) {
  const image = new Image();
  image.src = dataUrl(text);
  await image.decode();
  const scale = LONGER_SIDE_PX / Math.max(image.naturalWidth, image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

/** An address that has the whole picture in it. */
export function dataUrl(text) {
  return `data:image/svg+xml,${encodeURIComponent(text)}`;
}

/** What it shows, with some paper around. */
function box(svg) {
  const [x, y, width, height] = svg.getAttribute("viewBox").split(/\s+/).map(Number);
  return { x: x - MARGIN_UNITS, y: y - MARGIN_UNITS, width: width + 2 * MARGIN_UNITS, height: height + 2 * MARGIN_UNITS };
}
