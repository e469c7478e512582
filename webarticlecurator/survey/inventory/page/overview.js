// The first view: how little is left to decide, and how much of each year's pages is decided.

function overview() {
  return [
    element("h2", {}, "How little is left to decide"),
    reductionCards(),
    element("h2", {}, "How much a rule decides, by year"),
    element("p", {}, "A drop shows a change of the portal's layout."),
    ...layoutChanges(),
    coverageChart(),
    coverageTable(),
    element("h2", {}, "Pages"),
    pagesTable(),
  ];
}

function layoutChanges() {
  const years = INVENTORY.coverage.filter((row) => row.layout_change).map(yearOf);
  return years.length ? [element("p", { className: "alarm" }, `Much less than before is decided in ${years.join(", ")}.`)] : [];
}

function reductionCards() {
  const { tags, with_text: withText, simplified, undecided } = INVENTORY.reduction;
  const cards = [
    ["All tags", tags, "different start tags, with all their attributes"],
    ["With text", withText, "of them, those with words in them"],
    ["Simplified", simplified, "of those, what is left without numbers and styles"],
    ["Undecided", undecided, "of those, the ones that no rule decides"],
  ];
  return element("dl", { className: "cards" }, ...cards.map(([title, number, explained]) =>
    element("div", {}, element("dt", {}, title),
      element("dd", { className: "figure" }, whole(number)),
      element("dd", {}, `${percent(number, tags)} of all tags`),
      element("dd", { className: "explained" }, explained))));
}

const shareText = (share) => (share === null ? "–" : percent(share, 1));
const yearOf = (row) => (row.year === null ? "no date" : String(row.year));

function simpleTable(caption, titles, rows) {
  const heading = (title, place) => element("th", { scope: "col", className: place ? "number" : "" }, title);
  const head = element("thead", {}, element("tr", {}, ...titles.map(heading)));
  const body = rows.map(([first, ...others]) =>
    element("tr", {}, element("th", { scope: "row" }, first), ...others.map((cell) => element("td", { className: "number" }, cell))));
  const table = element("table", { className: "small" }, element("caption", {}, caption), head, element("tbody", {}, ...body));
  return element("div", { className: "wide" }, table);
}

function coverageTable() {
  const titles = ["Year", "Pages", "Words", "Words decided", "Elements", "Elements decided"];
  return simpleTable("Share of words and of elements that a rule decides", titles, INVENTORY.coverage.map((row) => [
    yearOf(row), whole(row.pages), whole(row.words), shareText(row.word_share), whole(row.elements), shareText(row.element_share)]));
}

function pagesTable() {
  const rows = [["read", whole(INVENTORY.pages)]];
  if (INVENTORY.of_pages > INVENTORY.pages) rows.push(["that there are", whole(INVENTORY.of_pages)]);
  for (const [outcome, number] of Object.entries(INVENTORY.passed_over)) rows.push([`passed over: ${outcome}`, whole(number)]);
  return simpleTable("Pages read and passed over", ["Pages", "Number"], rows);
}

function drawing(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const SHARES = [
  { name: "words", share: (row) => row.word_share },
  { name: "elements", share: (row) => row.element_share },
];

/** Two bars a year, from 0 to 100 %. */
function coverageChart() {
  const [step, height, left] = [44, 120, 44];
  const width = left + step * Math.max(INVENTORY.coverage.length, 1);
  const chart = drawing("svg", { viewBox: `0 0 ${width} ${height + 28}`, width, height: height + 28, role: "img",
    "aria-label": "Share of words and of elements that a rule decides, by year; the table below says the same" });
  for (const line of [0, 50, 100]) {
    const y = height + 8 - (height * line) / 100;
    chart.append(drawing("line", { class: "grid", x1: left - 4, x2: width, y1: y, y2: y }),
      drawing("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, `${line} %`));
  }
  INVENTORY.coverage.forEach((row, index) => {
    const x = left + index * step;
    SHARES.forEach(({ name, share }, place) => {
      const tall = height * share(row);
      chart.append(drawing("rect", { class: name, x: x + 4 + place * 17, y: height + 8 - tall, width: 15, height: tall },
        drawing("title", {}, `${yearOf(row)}: ${shareText(share(row))} of ${name}`)));
    });
    chart.append(drawing("text", { x: x + step / 2 - 2, y: height + 24, "text-anchor": "middle" }, yearOf(row)));
  });
  const legend = SHARES.map(({ name }) => element("span", {}, element("span", { className: `swatch ${name}` }), name));
  return element("figure", { className: "chart" }, element("div", { className: "wide" }, chart), element("figcaption", {}, ...legend));
}
