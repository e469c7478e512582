// What a row of the inventory folds out to: the suggestion, the rule, the examples.

function unfolded(row) {
  return element("div", { className: "fold-out" }, ...suggestionOf(row), ...ruleOf(row), ...examplesOf(row));
}

function suggestionOf(row) {
  if (!row.suggestion) return [];
  const { operation, evidence } = row.suggestion;
  const take = () => {
    decisions.decide(row, operation, decisions.of(row).url);
    row.showDecision();
    row.showRule?.();
  };
  return [element("h3", {}, "Perhaps ", element("code", {}, operation), " ",
    element("button", { type: "button", onclick: take }, `Decide: ${operation}`)),
  element("ul", {}, ...evidence.map((sentence) => element("li", {}, sentence)))];
}

function ruleOf(row) {
  if (!row.selector) return [element("p", {}, "No selector can say this tag; decide it with a rule of your own.")];
  const line = element("code", { className: "rule-line" });
  const copy = copyButton("Copy this rule", () => line.textContent);
  const address = addressField(row);
  row.showRule = () => {
    const now = decisions.of(row);
    address.hidden = !VOCABULARY.names.includes(now.operation);
    const rule = ruleLine(row.selector, now.operation ? now : { operation: row.suggestion?.operation, url: now.url });
    line.textContent = rule || row.selector;
    copy.textContent = rule ? "Copy this rule" : "Copy the selector";
  };
  row.showRule();
  return [element("h3", {}, "As a rule"), element("p", {}, line, " ", copy), address];
}

function addressField(row) {
  const url = element("input", { value: decisions.of(row).url, autocomplete: "off", spellcheck: false, placeholder: "src or href" });
  url.oninput = () => {
    const name = url.value.trim();
    const mistake = mistakeInAttribute(name);
    url.setCustomValidity(mistake);
    url.setAttribute("aria-invalid", String(mistake !== ""));
    if (mistake === "") decisions.decide(row, decisions.of(row).operation, name);
    row.showDecision();
    row.showRule();
  };
  return element("label", {}, "Attribute that keeps the address ", url);
}

function examplesOf(row) {
  return [element("h3", {}, "Examples"), ...row.examples.map((one) => element("figure", { className: "example" },
    inContext(one), element("figcaption", {}, one.start_tag ? element("code", {}, one.start_tag) : null, " ", linkTo(one.url))))];
}

function inContext({ before, text, after }) {
  const blank = /^[,.;:!?)\]…”’»]/.test(after) ? "" : " ";
  return element("blockquote", { lang: INVENTORY.language }, before, " ", element("mark", {}, text), blank, after);
}
