// Puts the page together. Each view is made when it is first looked at.

const VIEWS = [
  { id: "overview", title: "Overview", make: overview },
  { id: "tags", title: "Inventory", make: () => tagsView(INVENTORY.rows) },
  { id: "tree", title: "Content tree", make: treeView },
  { id: "pairs", title: "Pairs", make: pairsView },
];

function openView(wanted) {
  for (const { id, tab, make } of VIEWS) {
    const panel = document.getElementById(id);
    const open = id === wanted;
    if (open && !panel.hasChildNodes()) panel.append(...make());
    panel.hidden = !open;
    tab.setAttribute("aria-selected", String(open));
    tab.tabIndex = open ? 0 : -1;
  }
}

function makeTabs() {
  VIEWS.forEach((view, place) => {
    const tab = { type: "button", role: "tab", id: `tab-${view.id}`, "aria-controls": view.id };
    view.tab = element("button", { ...tab, onclick: () => openView(view.id) }, view.title);
    view.tab.onkeydown = ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = VIEWS.at((place + step) % VIEWS.length);
      openView(next.id);
      next.tab.focus();
    };
  });
  document.getElementById("tabs").append(...VIEWS.map(({ tab }) => tab));
}

function start() {
  const { pages, of_pages: ofPages, notes, vocabulary } = INVENTORY;
  const of = ofPages > pages ? ` of ${whole(ofPages)}` : "";
  document.getElementById("read").append(`${whole(pages)}${of} pages read.`, ...notes.map((note) => ` ${note}`));
  document.getElementById("operations").append(...vocabulary.operations.map((value) => element("option", { value })));
  decisions.recall(INVENTORY.rows);
  makeTabs();
  openView("overview");
}

start();
