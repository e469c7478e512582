// The inventory: search, chips, the table, and what was decided in it.

const CHIPS = [
  { group: "decider", title: UNDECIDED, holds: (row) => row.decided_by === UNDECIDED },
  ...["portal", "preset", "general table", "posts", "general finder"].map((decider) =>
    ({ group: "decider", title: decider, holds: (row) => row.decided_by === decider })),
  { group: "text", title: "text", holds: (row) => row.words > 0 },
  { group: "text", title: "no text", holds: (row) => row.words === 0 },
  { group: "suggestion", title: "with a suggestion", holds: (row) => row.suggestion !== null },
  { group: "mine", title: "decided here", holds: (row) => decisions.made.has(row.key) },
];

/** Buttons that stay pressed. Those of one group widen what is shown, several groups narrow it. */
class Chips {
  constructor(rows, act) {
    this.pressed = new Set();
    this.buttons = CHIPS.map((chip) => {
      const number = rows.filter(chip.holds).length;
      const button = element("button", { type: "button", className: "chip", "aria-pressed": "false" }, chip.title);
      if (chip.group !== "mine") button.append(element("span", { className: "count" }, ` ${whole(number)}`));
      button.onclick = () => {
        if (!this.pressed.delete(chip)) this.pressed.add(chip);
        button.setAttribute("aria-pressed", String(this.pressed.has(chip)));
        act();
      };
      return button;
    });
    this.whole = element("div", { className: "chips", role: "group", "aria-label": "Show only" }, ...this.buttons);
  }

  allow(row) {
    const pressed = [...this.pressed];
    return pressed.every(({ group }) => pressed.some((chip) => chip.group === group && chip.holds(row)));
  }
}

/** All that is searched in a row; made when the person first searches. */
function searched(row) {
  row.searched ??= [row.tag, row.where, row.operation, row.decided_by, row.rule, row.suggestion?.operation ?? "",
    ...row.examples.flatMap((one) => [one.before, one.text, one.after, one.url])].join(" ").toLowerCase();
  return row.searched;
}

/** What nobody decides first; both parts as the inventory orders them, by words at stake. */
function undecidedFirst(rows) {
  return [...rows].sort((a, b) => (b.decided_by === UNDECIDED) - (a.decided_by === UNDECIDED));
}

function tagsView(rows) {
  const ordered = undecidedFirst(rows);
  const table = new SortedTable("Simplified tags inside the article", TAG_COLUMNS,
    { foldOut: unfolded, mark: (row, drawn) => drawn.classList.toggle(UNDECIDED, row.decided_by === UNDECIDED) });
  const found = element("span", { className: "found" });
  const narrow = () => {
    const shown = ordered.filter((row) => chips.allow(row) && holds(searched(row), search.input.value));
    found.textContent = `${whole(shown.length)} of ${whole(rows.length)} tags`;
    table.show(shown);
  };
  const search = searchField("Search tags, rules and text ", narrow);
  const chips = new Chips(rows, narrow);
  const unsort = element("button", { type: "button", onclick: () => table.unsort() }, "Undecided first");
  narrow();
  return [element("div", { className: "tools" }, search.field, unsort, found), chips.whole, collected(rows, narrow), table.whole];
}

/** The bar with what the person decided here. */
function collected(rows, narrow) {
  const number = element("span");
  const save = element("button", { type: "button" }, "Download the table");
  const forget = element("button", { type: "button" }, "Forget my decisions");
  save.onclick = () => {
    download(`${INVENTORY.portal}-tags.tsv`, decidedTable(rows));
    say(`Downloaded. Next: curator tags apply ${INVENTORY.portal}-tags.tsv PORTAL`);
  };
  forget.onclick = () => {
    decisions.forget();
    narrow();
  };
  decisions.changed = () => {
    number.textContent = `${whole(decisions.made.size)} decided here.`;
    forget.hidden = decisions.made.size === 0;
  };
  decisions.changed();
  return element("p", { className: "collected" }, number, " ", save, " ", forget, " ",
    element("span", { className: "explained" }, "for ", element("code", {}, "curator tags apply")));
}
