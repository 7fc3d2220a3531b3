// Sharing a position: a picture of it, a link that opens it on an analysis board, and its text.
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { openSheet } from "../../lib/overlay/dialog.js";
import { button } from "../prompt.js";
import { svgFile, dataUrl, pngOf } from "./export_image.js";

const NOTICE_MS = 2000;

/** `drawing` is markup; `name` that of the files that are made. */
export async function openShare({ name, drawing, link, position }) {
  const text = svgFile(drawing);
  const png = new File([await pngOf(text)], `${name}.png`, { type: "image/png" });
  const isShared = Boolean(navigator.canShare?.({ files: [png] }));
  const svg = new File([text], `${name}.svg`, { type: "image/svg+xml" });
  openSheet(say("share-position"), make("div", { class: "sharing" },
    make("img", { class: "preview", src: dataUrl(text), alt: say("picture") }),
    make("div", { class: "row" },
      button({ label: say("picture-svg"), does: () => save(svg) }),
      isShared && button({ label: say("picture-save"), icon: "save", does: () => save(png) }),
      button({ label: say(isShared ? "picture-share" : "picture-save"), icon: isShared ? "share" : "save", kind: "pri",
        does: () => (isShared ? share(png) : save(png)) })),
    copyRow(make("input", { class: "typed mono", readonly: true, value: link, "aria-label": say("copy-link") }), say("copy-link"), "link"),
    copyRow(make("textarea", { class: "position mono", readonly: true, rows: 3, "aria-label": say("position") }, position), say("copy-position"), "copy")));
}

/** Somebody may think better of it, which is no error. */
function share(file) {
  navigator.share({ files: [file] }).catch(() => {});
}

function save(file) {
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), NOTICE_MS);
}

/** A text, and the button that copies it. */
function copyRow(field, label, name) {
  const showLabel = () => copy.replaceChildren(icon(name), label);
  const copy = button({ label, icon: name, does: async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      copy.replaceChildren(icon("check"), say("copied"));
      setTimeout(showLabel, NOTICE_MS);
    } catch {
      field.focus(); // Selected, so that the reader's own copy works.
    }
  } });
  field.onfocus = () => field.select();
  return make("div", { class: "copied" }, field, copy);
}
