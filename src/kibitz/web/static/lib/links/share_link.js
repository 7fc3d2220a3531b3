// A button that passes a link on, whole as the server wrote it: to another app, or to be pasted.
import { icon } from "../dom.js";
import { say } from "../i18n.js";

const NOTICE_MS = 2000;

export function shareOnClick(button, url) {
  button.addEventListener("click", async () => {
    if (navigator.share) navigator.share({ title: document.title, url }).catch(() => null);
    else await copyLink(button, url);
  });
}

/** Where it cannot be copied it is shown, selected, so that the reader's own copy works. */
async function copyLink(button, url) {
  const shown = document.getElementById("link");
  const field = shown.querySelector("input");
  field.value = url;
  shown.hidden = false;
  field.select();
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    if (!document.execCommand("copy")) return;
  }
  const was = [...button.childNodes];
  button.replaceChildren(icon("check"), say("copied"));
  setTimeout(() => button.replaceChildren(...was), NOTICE_MS);
}
