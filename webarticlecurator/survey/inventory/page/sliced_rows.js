// Table bodies of any length.

const SLICE = 100;

/** Draws rows in slices: the next one when the reader comes near the end of those that are there. */
class SlicedRows {
  constructor(table, draw) {
    this.table = table;
    this.draw = draw;
    this.body = table.tBodies[0];
    this.count = element("span", { className: "count" });
    this.more = element("button", { type: "button", onclick: () => this.drawMore() }, "Show more rows");
    this.foot = element("p", { className: "more" }, this.count, " ", this.more);
    const watch = (seen) => seen.some((one) => one.isIntersecting) && this.drawMore();
    new IntersectionObserver(watch, { rootMargin: "600px" }).observe(this.more);
  }

  /** Show these items instead of those before, and as many of them at once as asked for. */
  show(items, atOnce = SLICE) {
    this.items = items;
    this.shown = 0;
    this.body.replaceChildren();
    this.table.setAttribute("aria-rowcount", items.length + 1);
    this.drawMore(atOnce);
  }

  drawMore(number = SLICE) {
    const slice = this.items.slice(this.shown, this.shown + number);
    this.body.append(...slice.flatMap((item) => this.draw(item)));
    this.shown += slice.length;
    this.count.textContent = `${whole(this.shown)} of ${whole(this.items.length)} rows shown.`;
    this.more.hidden = this.shown >= this.items.length;
  }
}
