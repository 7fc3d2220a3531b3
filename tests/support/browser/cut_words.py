"""Words on a page that cannot be read whole."""

from __future__ import annotations

from playwright.sync_api import Page

SCRIPT = r"""() => {
  const UNREAD = "script, style, template, select, textarea, code, pre, svg, bdi, .phrases";
  const WORD = /[\p{L}\p{M}\u2019]{2,}/gu;
  const CONTROL = "button, .btn, .chip, summary";
  const found = new Set();
  const tell = (why, text, { id, className, tagName }) => {
    found.add(`${why} in ${id || className || tagName}: ${text.trim()}`);
  };

  function isHeardOnly(each) {
    if (!each) return false;
    return getComputedStyle(each).clipPath === "inset(50%)" || isHeardOnly(each.parentElement);
  }

  function shownTexts(root, unread) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) {
      const { parentElement: each, textContent } = walker.currentNode;
      const isShown = each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const isRead = isShown && !each.closest(unread) && !isHeardOnly(each);
      if (isRead && textContent.match(WORD)) nodes.push(walker.currentNode);
    }
    return nodes;
  }

  function linesOf(node, from, to) {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width);
  }

  function overlap(a, b) {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    return Math.min(across, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  }

  function isBelow({ top, bottom }, box) {
    return (top + bottom) / 2 > box.getBoundingClientRect().bottom;
  }

  function lookAtText(node) {
    const { parentElement: each, textContent: text } = node;
    const lines = linesOf(node, 0, node.length);
    let [left, right, isScrolled] = [0, innerWidth, false];
    for (let around = each; around !== document.body; around = around.parentElement) {
      const { overflowX, textOverflow, display, webkitLineClamp: most } = getComputedStyle(around);
      const isWider = around.scrollWidth > around.clientWidth + 1;
      const isTooLong = most !== "none" && lines.some((line) => isBelow(line, around));
      if (isTooLong || (textOverflow === "ellipsis" && isWider)) tell("dots", text, each);
      isScrolled ||= overflowX === "auto" || overflowX === "scroll";
      const isFrame = around === each || overflowX === "hidden" || around.matches(CONTROL);
      if (display === "inline" || !isFrame) continue;
      const box = around.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    const isOut = (line) => line.left < left - 1 || line.right > right + 1;
    if (!isScrolled && lines.some(isOut)) tell("cut off", text, each);
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const parts = linesOf(node, index, index + word.length);
      if (parts.some(({ top }) => top > parts[0].bottom - 1)) tell("broken", word, each);
    }
  }

  function lookAtBoard(board) {
    const sheet = board.getBoundingClientRect();
    const pieces = [...board.querySelectorAll('.pc:not([opacity="0"])')];
    const nodes = shownTexts(board, "title, .pc");
    const texts = [...new Set(nodes.map((node) => node.parentElement.closest("text")))];
    const boxes = texts.map((each) => each.getBoundingClientRect());
    for (const [i, { textContent: text }] of texts.entries()) {
      const { left, right, top, bottom } = boxes[i];
      const isBeside = left < sheet.left - 1 || right > sheet.right + 1;
      const isBeyond = top < sheet.top - 1 || bottom > sheet.bottom + 1;
      if (text.endsWith("\u2026")) tell("cut short", text, board);
      if (isBeside || isBeyond) tell("outside", text, board);
      const isUnder = (box) => overlap(box, boxes[i]) > 4;
      const { DOCUMENT_POSITION_FOLLOWING: after } = Node;
      const isOver = (piece) => texts[i].compareDocumentPosition(piece) & after;
      const isCovered = (piece) => isOver(piece) && isUnder(piece.getBoundingClientRect());
      const isOnGround = texts[i].closest(".l-ground");
      if (!isOnGround && pieces.some(isCovered)) tell("covered", text, board);
      if (boxes.slice(i + 1).some(isUnder)) tell("crossed", text, board);
    }
  }

  shownTexts(document.body, UNREAD).forEach(lookAtText);
  document.querySelectorAll("#stage svg.board").forEach(lookAtBoard);
  return [...found];
}"""
"""A script that finds words with a fault: `dots`, `cut off`, `broken` in two lines; and in the
drawing of the board `cut short`, `outside` of it, `covered` by a piece, `crossed` by other words.

Names that people chose may end in dots, what scrolls by itself may be anywhere, and pieces may
stand on what is written on the ground.
"""


def cut_words(page: Page) -> list[str]:
    found: list[str] = page.evaluate(SCRIPT)
    return found
