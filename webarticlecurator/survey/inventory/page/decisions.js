// What the person decided in this page: kept in the browser, and written as the table that `curator tags apply` reads.

const VOCABULARY = INVENTORY.vocabulary;
const UNDECIDED = "undecided";

const decisions = {
  place: `curator tags: ${INVENTORY.portal}`,
  made: new Map(),
  changed: () => {},

  /** What becomes of a row's elements, as things stand. */
  of(row) {
    return this.made.get(row.key) ?? { operation: row.operation, url: row.url };
  },

  decide(row, operation, address) {
    const url = VOCABULARY.names.includes(operation) ? address : "";
    if (operation === row.operation && url === row.url) this.made.delete(row.key);
    else this.made.set(row.key, { operation, url });
    this.keep();
    this.changed();
  },

  forget() {
    this.made.clear();
    this.keep();
    this.changed();
  },

  // A browser may refuse to keep anything for a page that is a file; then decisions last until the page is closed.
  keep() {
    try {
      localStorage.setItem(this.place, JSON.stringify(Object.fromEntries(this.made)));
    } catch {}
  },

  /** Take up again what was decided before, as far as it fits this inventory. */
  recall(rows) {
    try {
      const kept = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      for (const row of rows) {
        const { operation, url } = (Object.hasOwn(kept, row.key) && kept[row.key]) || {};
        const fits = typeof operation === "string" && typeof url === "string" && mistakeIn(operation) + mistakeInAttribute(url) === "";
        if (fits) this.made.set(row.key, { operation, url });
      }
    } catch {}
  },
};

/** Why this is no operation; "" if it is one. */
function mistakeIn(operation) {
  if (operation === "" || VOCABULARY.operations.includes(operation)) return "";
  const names = operation.split(" > ");
  if (names.length === 2 && names.every((name) => VOCABULARY.names.includes(name))) return "";
  return `"${operation}" is no operation; choose one of the list, or write two names for a split: paragraph > bold`;
}

/** Why this is no attribute; "" if it is one. */
function mistakeInAttribute(name) {
  return /[\s"'<>/=]/.test(name) ? `"${name}" is no attribute; such as src or data-src` : "";
}

/** The line for `body.tags` of the portal file; "" while nothing is decided. */
function ruleLine(selector, { operation, url }) {
  if (!operation || !selector) return "";
  const written = yamlString(selector);
  if (operation.includes(" > ")) return `split: {${written}: [${operation.replace(" > ", ", ")}]}`;
  if (url) return `${operation}: [{css: ${written}, url: ${yamlString(url)}}]`;
  return `${operation}: [${written}]`;
}

function yamlString(text) {
  const single = /["\\]/.test(text) && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text);
  return single ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

/** The inventory's own table, with the decisions in it; none of them needs quoting there. */
function decidedTable(rows) {
  const { columns, lines } = INVENTORY.table;
  const [operation, url] = [columns.indexOf("operation"), columns.indexOf("url")];
  const written = rows.map((row, index) => {
    const cells = lines[index].split("\t");
    if (decisions.made.has(row.key)) [cells[operation], cells[url]] = [decisions.of(row).operation, decisions.of(row).url];
    return cells.join("\t");
  });
  return [columns.join("\t"), ...written, ""].join("\n");
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
