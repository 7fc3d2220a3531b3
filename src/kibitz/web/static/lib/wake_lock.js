// A screen that nobody touches: it stays on, and can have the whole display.

/** As long as the page is looked at; where a browser does not allow it, its owner has to. */
export function keepAwake() {
  document.addEventListener("visibilitychange", hold);
  hold();
}

function hold() {
  if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
}

/** On, or off again. Some devices have no such thing. */
export function toggleFull() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
}
