// The content tree: all pages' trees merged, as indented rows that fold.

class ContentTree {
  constructor(nodes, caption) {
    this.nodes = nodes;
    this.ends = endsOf(nodes);
    const titles = ["Tag", "Operation", "Frequency", "Words", "Own words"];
    const heading = (title, place) => element("th", { scope: "col", className: place > 1 ? "number" : "" }, title);
    const head = element("thead", {}, element("tr", {}, ...titles.map(heading)));
    this.table = element("table", { role: "treegrid" }, element("caption", {}, caption), head, element("tbody"));
    this.rows = new SlicedRows(this.table, (index) => [this.drawRow(index)]);
    this.whole = element("div", { className: "wide" }, this.table, this.rows.foot);
    this.table.onkeydown = (event) => this.key(event);
    this.unfoldTo(1);
  }

  isLeaf(index) {
    return this.ends[index] === index + 1;
  }

  unfoldTo(depth) {
    this.open = new Set();
    this.nodes.forEach(({ level }, index) => level < depth && !this.isLeaf(index) && this.open.add(index));
    this.rows.show(this.visible());
  }

  visible() {
    const shown = [];
    for (let index = 0; index < this.nodes.length; index = this.open.has(index) ? index + 1 : this.ends[index]) shown.push(index);
    return shown;
  }

  toggle(index) {
    if (!this.open.delete(index)) this.open.add(index);
    const before = this.rows.shown;
    this.rows.show(this.visible(), Math.max(before, SLICE));
    this.buttonOf(index).focus({ preventScroll: true });
  }

  buttonOf(index) {
    return this.table.querySelector(`button[data-index="${index}"]`);
  }

  /** As trees are walked with the keyboard everywhere. */
  key(event) {
    const index = Number(event.target.dataset?.index ?? NaN);
    if (Number.isNaN(index)) return;
    const isOpen = this.open.has(index);
    const row = event.target.closest("tr");
    const focus = (drawn) => drawn?.querySelector("button")?.focus();
    const keys = {
      ArrowRight: () => (isOpen ? focus(row.nextElementSibling) : !this.isLeaf(index) && this.toggle(index)),
      ArrowLeft: () => (isOpen ? this.toggle(index) : this.buttonOf(this.parentOf(index))?.focus()),
      ArrowDown: () => focus(row.nextElementSibling),
      ArrowUp: () => focus(row.previousElementSibling),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
  }

  parentOf(index) {
    const level = this.nodes[index].level;
    let above = index - 1;
    while (above >= 0 && this.nodes[above].level >= level) above -= 1;
    return above;
  }

  drawRow(index) {
    const { level, fate, frequency, words, own_words: ownWords } = this.nodes[index];
    const row = element("tr", { "aria-level": level + 1 }, this.head(index), element("td", {}, fate),
      ...[frequency, words, ownWords].map((number) => element("td", { className: "number" }, whole(number))));
    row.classList.toggle(UNDECIDED, fate === UNDECIDED);
    if (!this.isLeaf(index)) row.setAttribute("aria-expanded", String(this.open.has(index)));
    return row;
  }

  head(index) {
    const { level, tag, more, more_words: moreWords } = this.nodes[index];
    const leaf = this.isLeaf(index);
    const mark = leaf && !more ? "leaf" : "fold";
    const toggle = () => leaf || this.toggle(index);
    const button = element("button", { type: "button", className: mark, onclick: toggle }, element("code", {}, tag));
    button.dataset.index = index;
    if (!leaf) button.setAttribute("aria-expanded", String(this.open.has(index)));
    else if (!more) button.title = "A leaf: no element stands in it";
    const rarer = ` and ${whole(more)} rarer paths in it, ${whole(moreWords)} words`;
    const cell = element("th", { scope: "row" }, button, more ? element("span", { className: "explained" }, rarer) : null);
    cell.style.paddingInlineStart = `${Math.min(level, 40) * 1.1 + 0.4}rem`;
    return cell;
  }
}

/** For each node, the index behind the last one below it. */
function endsOf(nodes) {
  const ends = new Array(nodes.length).fill(nodes.length);
  const above = [];
  nodes.forEach(({ level }, index) => {
    while (above.length && nodes[above.at(-1)].level >= level) ends[above.pop()] = index;
    above.push(index);
  });
  return ends;
}

function treeView() {
  const trees = INVENTORY.trees.map(({ layout, nodes }) => {
    const name = layout ? `layout ${layout}` : "the base rules";
    return { name, tree: new ContentTree(nodes, `The pages of ${name}, merged`) };
  });
  if (!trees.length) return [element("p", {}, "No page gave a tree.")];
  const place = element("div");
  let current;
  const choose = (index) => {
    current = trees[index].tree;
    place.replaceChildren(current.whole);
  };
  const names = trees.map(({ name }) => element("option", {}, name));
  const layouts = element("select", { onchange: () => choose(layouts.selectedIndex) }, ...names);
  const depth = element("input", { type: "number", min: 1, max: 99, value: "3" });
  const tools = element("div", { className: "tools" },
    trees.length > 1 ? element("label", {}, "Pages of ", layouts) : null,
    element("button", { type: "button", onclick: () => current.unfoldTo(Infinity) }, "Unfold all"),
    element("button", { type: "button", onclick: () => current.unfoldTo(0) }, "Fold all"),
    element("label", {}, "Depth ", depth),
    element("button", { type: "button", onclick: () => current.unfoldTo(depth.valueAsNumber || 0) }, "Unfold to this depth"));
  choose(0);
  return [tools, place];
}
