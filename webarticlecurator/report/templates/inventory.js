// Search, sort, and what a person decides here: kept in the browser, and written as the table that `curator tags apply` reads.
// What comes from a portal's pages is only ever text and values, never markup.

"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (selector, within = document) => within.querySelector(selector);
const WHOLE = new Intl.NumberFormat("en");

/** Say something to the person for a while, also to one who listens. */
function say(sentence) {
  const said = document.getElementById("said");
  clearTimeout(say.ending);
  said.textContent = sentence;
  say.ending = setTimeout(() => (said.textContent = ""), 8_000);
}

// A row of the table is what was counted, and below it what it folds out to.

const rows = all("#tags tbody tr:not(.unfolded)").map((drawn, place) => {
  const more = drawn.nextElementSibling;
  const fields = { field: one(".operation", drawn), address: one(".attribute", more), rule: one(".rule-line", more), copy: one(".copy", more) };
  return { ...DATA.rows[place], drawn, more, ...fields };
});

// --- decisions ---

const PLACE = `curator tags: ${DATA.portal}`;
const made = new Map();

/** What becomes of a row's elements, as things stand. */
const decisionOf = (row) => made.get(row.key) ?? { operation: row.operation, url: row.url };

function decide(row, operation, address) {
  const url = DATA.names.includes(operation) ? address : "";
  if (operation === row.operation && url === row.url) made.delete(row.key);
  else made.set(row.key, { operation, url });
  keep();
}

// A browser may refuse to keep anything for a page that is a file; then decisions last until the page is closed.
function keep() {
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(made)));
  } catch {}
  one(".decided-here").textContent = `${WHOLE.format(made.size)} decided here.`;
  one(".forget").hidden = made.size === 0;
}

/** Take up again what was decided before, as far as it fits this inventory. */
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    for (const row of rows) {
      const { operation, url } = (Object.hasOwn(kept, row.key) && kept[row.key]) || {};
      const fits = typeof operation === "string" && typeof url === "string" && mistakeIn(operation) + mistakeInAttribute(url) === "";
      if (fits) made.set(row.key, { operation, url });
    }
  } catch {}
}

/** Why this is no operation; "" if it is one. */
function mistakeIn(operation) {
  if (operation === "" || DATA.operations.includes(operation)) return "";
  const names = operation.split(" > ");
  if (names.length === 2 && names.every((name) => DATA.names.includes(name))) return "";
  return `"${operation}" is no operation; choose one of the list, or write two names for a split: paragraph > bold`;
}

/** Why this is no attribute; "" if it is one. */
const mistakeInAttribute = (name) => (/[\s"'<>/=]/.test(name) ? `"${name}" is no attribute; such as src or data-src` : "");

/** The line for `body.tags` of the portal file; "" while nothing is decided. */
function ruleLine(selector, operation, url) {
  if (!operation || !selector) return "";
  const written = yamlString(selector);
  if (operation.includes(" > ")) return `split: {${written}: [${operation.replace(" > ", ", ")}]}`;
  return url ? `${operation}: [{css: ${written}, url: ${yamlString(url)}}]` : `${operation}: [${written}]`;
}

function yamlString(text) {
  const single = /["\\]/.test(text) && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text);
  return single ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

/** Shows how things stand; a field in which the person writes keeps what is written. */
function show(row, written = null) {
  const { operation, url } = decisionOf(row);
  if (written !== row.field) row.field.value = operation;
  if (written !== row.address) row.address.value = url;
  row.field.classList.toggle("decided", made.has(row.key));
  row.address.parentElement.hidden = !DATA.names.includes(operation);
  row.rule.textContent =
    ruleLine(row.selector, operation || row.suggested, url) || row.selector || "No selector can say this tag; decide it with a rule of your own.";
  row.copy.hidden = !row.selector;
}

/** Marks a field whose text means nothing; whether it does mean something. */
function fits(field, mistake) {
  field.setCustomValidity(mistake);
  field.setAttribute("aria-invalid", String(mistake !== ""));
  field.title = mistake;
  return mistake === "";
}

for (const row of rows) {
  row.field.onfocus = () => row.field.select();
  row.field.oninput = () => {
    const operation = row.field.value.trim().toLowerCase().replace(/\s*>\s*/, " > ");
    if (!fits(row.field, mistakeIn(operation))) return;
    decide(row, operation, decisionOf(row).url);
    show(row, row.field);
  };
  row.field.onchange = () => row.field.validity.valid || say(row.field.validationMessage);
  row.address.oninput = () => {
    const name = row.address.value.trim();
    if (!fits(row.address, mistakeInAttribute(name))) return;
    decide(row, decisionOf(row).operation, name);
    show(row, row.address);
  };
  const take = one(".take", row.more);
  if (take)
    take.onclick = () => {
      decide(row, row.suggested, decisionOf(row).url);
      show(row);
    };
  row.copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(row.rule.textContent);
      say(`Copied: ${row.rule.textContent}`);
    } catch {
      say("The browser does not let this page copy; select the text, and copy it with the keyboard.");
    }
  };
}

one(".forget").onclick = () => {
  made.clear();
  keep();
  rows.forEach((row) => show(row));
  narrow();
};

one(".save").onclick = () => {
  const [operation, url] = [DATA.columns.indexOf("operation"), DATA.columns.indexOf("url")];
  const lines = [...DATA.lines];
  for (const row of rows.filter(({ key }) => made.has(key))) {
    const cells = lines[row.line].split("\t");
    [cells[operation], cells[url]] = [decisionOf(row).operation, decisionOf(row).url];
    lines[row.line] = cells.join("\t");
  }
  const text = [DATA.columns.join("\t"), ...lines, ""].join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  link.download = `${DATA.portal}-tags.tsv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  say(`Downloaded. Next: curator tags apply ${link.download} PORTAL`);
};

// --- what is shown: chips of one group widen it, several groups narrow it ---

const holds = (row, { value }) => (value === "decided here" ? made.has(row.key) : row.kinds.includes(value));

function narrow() {
  const words = one("#tags input[type=search]").value.toLowerCase().split(/\s+/);
  const pressed = all('.chip[aria-pressed="true"]');
  let shown = 0;
  for (const row of rows) {
    row.text ??= (row.drawn.textContent + row.operation + row.more.textContent).toLowerCase();
    const allowed = pressed.every(({ dataset }) => pressed.some((chip) => chip.dataset.group === dataset.group && holds(row, chip)));
    row.drawn.hidden = row.more.hidden = !(allowed && words.every((word) => row.text.includes(word)));
    shown += !row.drawn.hidden;
  }
  one(".found").textContent = `${WHOLE.format(shown)} of ${WHOLE.format(rows.length)} tags`;
}

one("#tags input[type=search]").oninput = () => {
  clearTimeout(narrow.waiting);
  narrow.waiting = setTimeout(narrow, 120);
};

for (const chip of all(".chip")) {
  const number = rows.filter((row) => holds(row, chip)).length;
  if (chip.dataset.group !== "mine") chip.append(` ${WHOLE.format(number)}`);
  chip.onclick = () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    narrow();
  };
}

// --- tables sort by their columns; nothing comes last in either order ---

const COLLATOR = new Intl.Collator("en", { numeric: true });

function sort(table, heading) {
  const place = heading.cellIndex;
  const isNumber = heading.classList.contains("number");
  const downwards = heading.ariaSort ? heading.ariaSort === "ascending" : isNumber;
  for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const valueOf = (row) => {
    const text = one("input", row.cells[place])?.value ?? row.cells[place].textContent.trim();
    return isNumber && text ? Number(text.replace(/[,%\s]/g, "")) : text;
  };
  const compare = isNumber ? (a, b) => a - b : COLLATOR.compare;
  const drawn = all("tbody tr:not(.unfolded)", table).map((row) => ({ row, more: row.nextElementSibling, value: valueOf(row) }));
  drawn.sort((a, b) => (a.value === "") - (b.value === "") || (a.value === "" ? 0 : compare(a.value, b.value) * (downwards ? -1 : 1)));
  table.tBodies[0].append(...drawn.flatMap(({ row, more }) => (more?.matches(".unfolded") ? [row, more] : [row])));
  say(`Sorted by ${heading.textContent}, ${heading.ariaSort}.`);
}

for (const table of all("table.sorted")) for (const heading of all("thead th", table)) heading.onclick = () => sort(table, heading);

one(".unsort").onclick = () => {
  for (const heading of all("#tags th[aria-sort]")) heading.removeAttribute("aria-sort");
  one("#tags tbody").append(...rows.flatMap(({ drawn, more }) => [drawn, more]));
};

one(".unfold-all").onclick = () => all("#tree details").forEach((details) => (details.open = true));
one(".fold-all").onclick = () => all("#tree details").forEach((details) => (details.open = false));

recall();
keep();
rows.forEach((row) => show(row));
narrow();
for (const hidden of all(".scripted")) hidden.hidden = false;
