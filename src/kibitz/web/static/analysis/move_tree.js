// Lines of actions that branch. The first child of a node is the main line's, the others are branches.

export class MoveTree {
  /** `base` is where all of it begins: `{ options, start }`. */
  constructor(base) {
    this.base = base;
    this.root = node(null, "", "");
    this.at = this.root;
    /** Counts what has changed about it. */
    this.age = 0;
  }

  /** The nodes on the way to one, the first action's first. */
  way(to = this.at) {
    const found = [];
    for (let each = to; each.parent; each = each.parent) found.unshift(each);
    return found;
  }

  actions(to = this.at) {
    return this.way(to).map(({ text }) => text);
  }

  /** The way to here and on to its end, where somebody was last. */
  get line() {
    const found = this.way();
    for (let each = this.at; (each = each.next ?? each.children[0]);) found.push(each);
    return found;
  }

  /** Goes on from a node by these actions, along what is there as far as that is the same; the last one. */
  grow(from, actions, words) {
    let at = from;
    actions.forEach((text, i) => {
      let child = at.children.find((each) => each.text === text);
      if (!child) {
        child = node(at, text, words[i] ?? "");
        at.children.push(child);
        this.age += 1;
      }
      at = child;
    });
    return at;
  }

  goTo(to) {
    this.at = to;
    for (let each = to; each.parent; each = each.parent) each.parent.next = each;
  }

  /** The node so many further along the line, or back. */
  further(by) {
    const line = [this.root, ...this.line];
    return line[Math.max(0, Math.min(line.length - 1, this.at.depth + by))];
  }

  /** Where the branch that we are on leaves another line; null on the main line. */
  get branch() {
    for (let each = this.at; each.parent; each = each.parent) {
      if (each.parent.children[0] !== each) return each;
    }
    return null;
  }

  /** What was tried beside this: the first node of the next branch, or the one before; null if there is none. */
  beside(by) {
    for (let each = this.at; each.parent; each = each.parent) {
      const all = each.parent.children;
      if (all.length > 1) return all[(all.indexOf(each) + by + all.length) % all.length];
    }
    const [, other] = this.line.find(({ children }) => children.length > 1)?.children ?? this.root.children;
    return other ?? null;
  }

  /** The branch that we are on becomes what it has left. */
  promote() {
    const { branch } = this;
    const all = branch.parent.children;
    all.unshift(...all.splice(all.indexOf(branch), 1));
    this.age += 1;
  }

  /** The branch that we are on goes; the node that it left. */
  remove() {
    const { branch } = this;
    const { parent } = branch;
    parent.children.splice(parent.children.indexOf(branch), 1);
    parent.next = null;
    this.age += 1;
    return parent;
  }
}

function node(parent, text, words) {
  return { parent, text, words, children: [], next: null, depth: parent ? parent.depth + 1 : 0 };
}
