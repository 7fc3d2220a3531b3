// The lines of an analysis as a list: the main line, and under a move what else was tried there.
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

export class MoveTreeView {
  rows = new Map();
  shown = { tree: null, age: 0 };

  /** `does` has goTo(node), beside(by), promote() and remove(). */
  constructor(list, tools, does) {
    this.list = list;
    this.tools = tools;
    this.does = does;
    const tool = (name, label, act) => make("button", { class: "btn sm ghost only", type: "button", "aria-label": label, title: label, onclick: act },
      icon(name, "s"));
    this.promoting = tool("promote", say("branch-promote"), () => does.promote());
    this.removing = tool("trash", say("branch-delete"), () => does.remove());
    tools.append(tool("up", say("branch-before"), () => does.beside(-1)), tool("down", say("branch-after"), () => does.beside(1)), this.promoting,
      this.removing);
  }

  show(tree) {
    if (this.shown.tree !== tree || this.shown.age !== tree.age) this.redraw(tree);
    const { branch } = tree;
    this.tools.hidden = !this.list.querySelector(".branch");
    this.promoting.disabled = this.removing.disabled = !branch;
    for (const [node, row] of this.rows) {
      const isHere = node === tree.at;
      row.classList.toggle("now", isHere);
      row.firstElementChild.toggleAttribute("aria-current", isHere);
    }
    this.bringIn(this.rows.get(tree.at));
  }

  /** Scrolls the list, and nothing around it. */
  bringIn(row) {
    const room = this.list.closest(".sheet .body") ?? this.list;
    const [{ top, bottom }, frame] = [row.getBoundingClientRect(), room.getBoundingClientRect()];
    if (top < frame.top) room.scrollTop -= frame.top - top;
    else if (bottom > frame.bottom) room.scrollTop += bottom - frame.bottom;
  }

  redraw(tree) {
    this.shown = { tree, age: tree.age };
    this.rows.clear();
    const start = make("li", {}, this.jump(tree.root, "", say("replay-start"), ""));
    this.rows.set(tree.root, start);
    const rows = this.following(tree.root);
    this.list.replaceChildren(start, ...rows.length ? rows : [make("li", { class: "none" }, say("analysis-hint"))]);
  }

  /** The rows after a node along its first children, with the branches at each move. */
  following(node) {
    const rows = [];
    for (let at = node; at.children.length; [at] = at.children) {
      const [first, ...others] = at.children;
      rows.push(this.row(first), ...others.map((each) => this.branch(each)));
    }
    return rows;
  }

  branch(node) {
    const label = say("branch-of", { n: node.depth - 1 });
    return make("li", { class: "branch" }, make("ol", { "aria-label": label }, this.row(node), ...this.following(node)));
  }

  row(node) {
    const row = make("li", {}, this.jump(node, String(node.depth), node.words || node.text, node.words ? node.text : ""));
    this.rows.set(node, row);
    return row;
  }

  jump(node, n, text, code) {
    return make("button", { class: "jump", type: "button", onclick: () => this.does.goTo(node) },
      make("span", { class: "n" }, n), make("span", { class: "sp" }, text), code && make("code", {}, code));
  }
}
