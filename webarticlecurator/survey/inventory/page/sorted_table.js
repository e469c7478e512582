// Tables that are sorted by their column headings.

const COLLATOR = new Intl.Collator("en", { numeric: true });

/** Columns are {title, value, show, numeric, heads, explained}: `value` is sorted by, `show` is what stands in the cell. */
class SortedTable {
  constructor(caption, columns, { foldOut = null, mark = () => {} } = {}) {
    this.columns = columns;
    this.foldOut = foldOut;
    this.mark = mark;
    this.headings = columns.map((column) => this.heading(column));
    const head = element("thead", {}, element("tr", {}, ...this.headings));
    this.table = element("table", {}, element("caption", {}, caption), head, element("tbody"));
    this.rows = new SlicedRows(this.table, (row) => this.drawRow(row));
    this.whole = element("div", { className: "wide" }, this.table, this.rows.foot);
  }

  heading(column) {
    const sort = element("button", { type: "button", title: column.explained, onclick: () => this.sortBy(column) }, column.title);
    return element("th", { scope: "col", className: column.numeric ? "number" : "" }, sort);
  }

  /** Show these, in the order that was asked for last, else in their own. */
  show(items) {
    this.items = items;
    this.rows.show(this.sorted());
  }

  sortBy(column) {
    this.downwards = this.by === column ? !this.downwards : Boolean(column.numeric);
    this.by = column;
    this.markSorted();
    this.rows.show(this.sorted());
    say(`Sorted by ${column.title}, ${this.downwards ? "descending" : "ascending"}.`);
  }

  /** Back to the order in which the items come. */
  unsort() {
    this.by = undefined;
    this.markSorted();
    this.rows.show(this.items);
  }

  markSorted() {
    this.headings.forEach((heading, index) => {
      if (this.columns[index] === this.by) heading.setAttribute("aria-sort", this.downwards ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
  }

  sorted() {
    if (!this.by) return this.items;
    const { value, numeric } = this.by;
    const sign = this.downwards ? -1 : 1;
    const compare = numeric ? (a, b) => a - b : COLLATOR.compare;
    const nothing = (one) => one === null || one === "";
    return this.items
      .map((row) => ({ row, value: value(row) }))
      .sort((a, b) => nothing(a.value) - nothing(b.value) || (nothing(a.value) ? 0 : sign * compare(a.value, b.value)))
      .map(({ row }) => row);
  }

  drawRow(row) {
    const drawn = element("tr");
    drawn.append(...this.columns.map((column) => this.cell(row, column, drawn)));
    this.mark(row, drawn);
    return [drawn];
  }

  cell(row, column, drawn) {
    const shown = column.show ? column.show(row) : column.value(row);
    const className = column.numeric ? "number" : "";
    if (!column.heads) return element("td", { className }, shown);
    const inside = this.foldOut ? this.toggle(row, shown, drawn) : shown;
    return element("th", { scope: "row", className }, inside, ...(column.beside?.(row) ?? []));
  }

  toggle(row, shown, drawn) {
    const button = element("button", { type: "button", className: "fold", "aria-expanded": "false" }, shown);
    button.onclick = () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) drawn.nextElementSibling.remove();
      else drawn.after(element("tr", { className: "unfolded" }, element("td", { colSpan: this.columns.length }, this.foldOut(row))));
    };
    return button;
  }
}
