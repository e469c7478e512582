// What the inventory shows of a tag, column by column; the operation can be written there.

const TAG_COLUMNS = [
  { title: "Tag", heads: true, value: (row) => row.tag, show: (row) => element("code", {}, row.tag), beside: remarks },
  { title: "Operation", value: (row) => decisions.of(row).operation, show: operationField, explained: "What becomes of these elements" },
  { title: "Decided by", value: (row) => `${row.decided_by} ${row.rule}`, show: decidedBy, explained: "Whose rule decides, and which one" },
  { title: "Frequency", numeric: true, value: (row) => row.frequency, show: (row) => whole(row.frequency) },
  { title: "Pages", numeric: true, value: (row) => row.pages, show: (row) => whole(row.pages) },
  { title: "From", numeric: true, value: (row) => row.from, show: (row) => row.from ?? "", explained: "The first year" },
  { title: "To", numeric: true, value: (row) => row.to, show: (row) => row.to ?? "", explained: "The last year" },
  { title: "Words", numeric: true, value: (row) => row.words, show: (row) => whole(row.words),
    explained: "In the elements, with all in them" },
  { title: "Mean", numeric: true, value: (row) => row.mean_words, show: (row) => tenths(row.mean_words),
    explained: "Words in one element on average" },
  { title: "Own", numeric: true, value: (row) => row.mean_immediate_words, show: (row) => tenths(row.mean_immediate_words),
    explained: "Words immediately in one element on average" },
  { title: "Inside", numeric: true, value: (row) => row.mean_descendants, show: (row) => tenths(row.mean_descendants),
    explained: "Elements inside one element on average" },
  { title: "Links", numeric: true, value: (row) => row.link_share, show: (row) => `${whole(100 * row.link_share)} %`,
    explained: "Of the words, the part that stands in links" },
];

function remarks(row) {
  return row.where ? [element("div", { className: "where" }, "where ", element("code", {}, row.where))] : [];
}

function decidedBy(row) {
  return element("div", { className: "decider" }, row.decided_by, row.rule ? element("div", { className: "rule" }, row.rule) : null);
}

/** What is decided now; a person writes something else over it. */
function operationField(row) {
  const input = element("input", { list: "operations", value: decisions.of(row).operation, autocomplete: "off", spellcheck: false,
    "aria-label": `Operation of ${row.tag}${row.where && ` where ${row.where}`}`,
    placeholder: row.suggestion ? `${row.suggestion.operation}?` : row.fate });
  row.showDecision = () => {
    input.value = decisions.of(row).operation;
    markDecision(row, input);
  };
  input.onfocus = () => input.select();
  input.oninput = () => takeOperation(row, input);
  input.onchange = () => input.validity.valid || say(input.validationMessage);
  markDecision(row, input);
  return input;
}

function takeOperation(row, input) {
  const operation = input.value.trim().toLowerCase().replace(/\s*>\s*/, " > ");
  const mistake = mistakeIn(operation);
  input.setCustomValidity(mistake);
  if (mistake === "") decisions.decide(row, operation, decisions.of(row).url);
  markDecision(row, input);
  row.showRule?.();
}

function markDecision(row, input) {
  input.classList.toggle("decided", decisions.made.has(row.key));
  input.setAttribute("aria-invalid", String(!input.validity.valid));
  input.title = input.validationMessage;
}
