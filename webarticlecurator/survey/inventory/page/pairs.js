// Pairs: one tag inside another, for rules that depend on where an element stands.

const PAIR_COLUMNS = [
  { title: "Outer", heads: true, value: (pair) => pair.outer, show: (pair) => element("code", {}, pair.outer) },
  { title: "Inner", value: (pair) => pair.inner, show: (pair) => element("code", {}, pair.inner) },
  { title: "Relation", value: (pair) => (pair.adjacent ? "child" : "deeper inside"), explained: "Where the inner one stands" },
  { title: "Operation", value: (pair) => pair.operation, explained: "What becomes of the inner ones" },
  { title: "Frequency", numeric: true, value: (pair) => pair.frequency, show: (pair) => whole(pair.frequency) },
  { title: "Words", numeric: true, value: (pair) => pair.words, show: (pair) => whole(pair.words), explained: "In the inner ones" },
  { title: "Selector", value: (pair) => pair.selector, explained: "For a rule on the inner ones in this place",
    show: (pair) => (pair.selector ? copyButton("Copy", () => yamlString(pair.selector), `Copy ${pair.selector}`) : "") },
];

function pairsView() {
  const table = new SortedTable("Tags inside tags", PAIR_COLUMNS);
  const narrow = () => {
    table.show(INVENTORY.pairs.filter((pair) => holds(`${pair.outer} ${pair.inner} ${pair.operation}`.toLowerCase(), search.input.value)));
  };
  const search = searchField("Search pairs ", narrow);
  narrow();
  return [element("div", { className: "tools" }, search.field), table.whole];
}
