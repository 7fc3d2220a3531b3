// The shape of the screen: upright as a phone, or with the bar as a dock.
export const TALL = matchMedia("(max-width: 699px)");
export const DOCK = matchMedia("(max-width: 699px), (max-height: 500px)");
