// The view of an article: page and text scroll together, and a click in one marks the same in the other. Nothing runs in the frames.
"use strict";
(() => {
const byId = (id) => document.getElementById(id);
const pane = byId("text"), told = byId("told"), frames = [...document.querySelectorAll("iframe")];
const KEPT = ".curator-kept, .curator-post, .curator-undecided";
const BLOCKS = "p, li, td, h2, h3, h4, h5, h6, figcaption, caption, pre, small, div, aside, blockquote, article, figure";
const NEAR = 5000;  // characters of the text in which the next words of the page are looked for
const MOST_NAMED = 6;
const plain = (text) => text.replace(/\s+/g, "");
const blockOf = new Map(), marksOf = new Map();
let leading = null, chosen = [];

const ready = (frame) => new Promise((done) => {
  const isThere = () => frame.contentDocument?.URL === "about:srcdoc" && frame.contentDocument.readyState === "complete";
  if (isThere()) done(); else frame.addEventListener("load", () => done(), { once: true });
});

// Each mark belongs to the block of the text in which its words stand; both go on in the same order.
const join = () => {
  const starts = [], blocks = [], pieces = [];
  let length = 0, from = 0;
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const piece = plain(walker.currentNode.data);
    if (!piece) continue;
    starts.push(length); blocks.push(walker.currentNode.parentElement.closest(BLOCKS)); pieces.push(piece);
    length += piece.length;
  }
  const whole = pieces.join("");
  const blockAt = (place) => {
    let low = 0, high = starts.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (starts[middle] <= place) low = middle; else high = middle - 1; }
    return blocks[low];
  };
  for (const frame of frames) for (const mark of frame.contentDocument.querySelectorAll("span.curator-mark")) {
    const words = plain(mark.textContent), isKept = mark.matches(KEPT);
    if (!words || !(isKept || mark.matches(".curator-said"))) continue;
    const begin = isKept ? from : 0, place = whole.slice(begin, begin + NEAR + words.length).indexOf(words);
    if (place < 0) continue;
    if (isKept) from = begin + place + words.length;
    const block = blockAt(begin + place);
    if (!block || !pane.contains(block)) continue;
    blockOf.set(mark, block);
    if (!marksOf.has(block)) marksOf.set(block, []);
    marksOf.get(block).push(mark);
  }
  for (const block of marksOf.keys()) block.classList.add("joined");
};

const WAS = "curator-was-", ALIKE_AT_MOST = 2000;
const tagOf = (element) => [...element.classList].find((name) => name.startsWith(WAS))?.slice(WAS.length) ?? element.localName;
const named = (element) => tagOf(element) + [...element.classList].filter((name) => !name.startsWith("curator-")).map((name) => "." + CSS.escape(name)).join("");
const isOurs = (element) => element.matches("span.curator-mark[class*=curator-text-], .curator-fold");
const ofPage = (element) => { while (element?.matches("span.curator-mark[class*=curator-text-]")) element = element.parentElement; return element; };
const pathOf = (element) => {
  const names = [];
  for (; element?.parentElement && element.localName !== "body"; element = element.parentElement) names.unshift(named(element));
  return (names.length > MOST_NAMED ? "… > " : "") + names.slice(-MOST_NAMED).join(" > ");
};
// The shortest selector by which nothing else of the archived page is meant: by names alone, else by places, too.
const placed = (element) => {
  const alike = [...element.parentElement.children].filter((each) => !isOurs(each) && tagOf(each) === tagOf(element));
  return named(element) + (alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : "");
};
// A browser puts a tbody into each table, which need not be in the page.
const around = (element) => {
  let parent = element.parentElement;
  while (parent && (parent.localName === "tbody" || isOurs(parent))) parent = parent.parentElement;
  return parent?.parentElement && parent.localName !== "body" ? parent : null;
};
const selectorUpTo = (element, steps, name) => {
  let selector = name(element);
  for (let outer = around(element); outer && steps; outer = around(element), steps -= 1) {
    selector = name(outer) + (outer === element.parentElement ? " > " : " ") + selector;
    element = outer;
  }
  return selector;
};
const selectorOf = (chosenOne) => {
  const alike = [...chosenOne.ownerDocument.querySelectorAll("body *")].filter((each) => !isOurs(each) && named(each) === named(chosenOne));
  let steps = 0;
  for (let outer = around(chosenOne); outer; outer = around(outer)) steps += 1;
  if (alike.length <= ALIKE_AT_MOST) {
    for (const name of [named, placed]) {
      for (let most = 0; most <= steps; most += 1) {
        const selector = selectorUpTo(chosenOne, most, name);
        if (alike.filter((each) => selectorUpTo(each, most, name) === selector).length === 1) return selector;
      }
    }
  }
  return selectorUpTo(chosenOne, steps, placed);
};

const scrollTo = (scroller, place) => { leading = null; scroller.scrollTo({ top: place }); };
const showBlock = (block) => {
  const place = block.getBoundingClientRect(), around = pane.getBoundingClientRect();
  if (place.top < around.top || place.bottom > around.bottom) scrollTo(pane, pane.scrollTop + place.top - around.top - around.height / 4);
};
const showMark = (mark) => {
  const view = mark.ownerDocument.defaultView, place = mark.getBoundingClientRect();
  if (place.top < 0 || place.bottom > view.innerHeight) scrollTo(view, view.scrollY + place.top - view.innerHeight / 4);
};

const choose = (element, marks, block) => {
  for (const each of chosen) each.classList.remove("curator-chosen", "chosen");
  chosen = [...marks, ...(block ? [block] : [])];
  for (const mark of marks) mark.classList.add("curator-chosen");
  block?.classList.add("chosen");
  const holder = ofPage(element), decision = marks[0]?.title ?? "";
  told.textContent = [pathOf(holder), decision].filter(Boolean).join(": ");
  const buttons = byId("chosen");
  if (buttons) { buttons.hidden = !holder; buttons.dataset.selector = holder ? selectorOf(holder) : ""; }
};
const openTab = (name) => { document.querySelector(`input[name=tab][value=${name}]`).checked = true; };

const onPage = (event) => {
  const mark = event.target.closest?.(".curator-mark"), block = mark && blockOf.get(mark);
  if (!event.target.closest || event.target.closest(".curator-fold")) return;
  event.preventDefault();
  choose(event.target, block ? marksOf.get(block) : mark ? [mark] : [], block);
  if (block) { openTab("text"); showBlock(block); }
  const number = mark && [...mark.classList].find((name) => name.startsWith("curator-text-"))?.slice(13);
  const item = number && document.querySelector(`[data-text="${number}"]`);
  if (item) { openTab("left-out"); item.closest("details").open = true; item.classList.add("chosen"); chosen.push(item); item.scrollIntoView({ block: "nearest" }); }
};
pane.addEventListener("click", (event) => {
  let block = event.target.closest(".joined");
  if (!block) return;
  const marks = marksOf.get(block);
  choose(marks[0], marks, block);
  showMark(marks[0]);
});
byId("left-out").addEventListener("click", (event) => {
  const number = event.target.closest("[data-text]")?.dataset.text;
  const marks = number ? frames.flatMap((frame) => [...frame.contentDocument.getElementsByClassName(`curator-text-${number}`)]) : [];
  if (!marks.length) return;
  const fold = marks[0].ownerDocument.querySelector(".curator-fold");
  if (fold && marks[0].closest(".curator-folded")) fold.open = true;
  choose(marks[0], marks, null);
  event.target.closest("[data-text]").classList.add("chosen"); chosen.push(event.target.closest("[data-text]"));
  showMark(marks[0]);
});

// Whoever was touched last leads, and the other follows.
const lead = (who, of) => { for (const kind of ["wheel", "pointerdown", "touchstart", "keydown"]) of.addEventListener(kind, () => { leading = who; }, { passive: true }); };
const firstSeen = (pairs, top) => pairs.find(([shown]) => shown.getBoundingClientRect().bottom > top);
const follow = (frame) => {
  const view = frame.contentWindow, of = [...marksOf].filter(([, marks]) => marks[0].ownerDocument === frame.contentDocument);
  lead(view, frame.contentDocument);
  let isDue = false;
  const later = (act) => () => { if (isDue) return; isDue = true; requestAnimationFrame(() => { isDue = false; act(); }); };
  view.addEventListener("scroll", later(() => {
    const pair = leading === view && firstSeen(of.map(([block, marks]) => [marks[0], block]), 0);
    if (pair) pane.scrollTop += pair[1].getBoundingClientRect().top - pane.getBoundingClientRect().top - Math.max(0, pair[0].getBoundingClientRect().top);
  }));
  pane.addEventListener("scroll", later(() => {
    const top = pane.getBoundingClientRect().top, pair = leading === pane && firstSeen(of, top);
    if (pair) view.scrollBy(0, pair[1][0].getBoundingClientRect().top - Math.max(0, pair[0].getBoundingClientRect().top - top));
  }));
};

const begin = (frame) => {
  const page = frame.contentDocument, first = [...page.querySelectorAll(KEPT)].find((mark) => mark.checkVisibility() && mark.getBoundingClientRect().height);
  page.addEventListener("click", onPage);
  page.addEventListener("auxclick", (event) => event.preventDefault());
  if (first && first.getBoundingClientRect().top > frame.contentWindow.innerHeight * 0.7) frame.contentWindow.scrollBy(0, first.getBoundingClientRect().top - 80);
};

byId("marked").addEventListener("change", (event) => { for (const frame of frames) frame.contentDocument.documentElement.classList.toggle("curator-plain", !event.target.checked); });
// Of what has one value nothing is also, or is not.
const form = document.forms[0];
const fitChanges = () => {
  const { field, change } = form.elements, isList = "list" in field.selectedOptions[0].dataset;
  for (const option of change.options) option.disabled = !isList && ["+=", "-="].includes(option.value);
  if (change.selectedOptions[0]?.disabled ?? true) change.value = "=";
};
if (form) { fitChanges(); form.elements.field.addEventListener("change", fitChanges); }
byId("chosen")?.addEventListener("click", (event) => {
  if (!event.target.value) return;
  form.elements.field.value = event.target.value; form.elements.change.value = "="; fitChanges(); form.elements.value.value = byId("chosen").dataset.selector;
  openTab("values"); form.elements.because.focus();
});
if (document.querySelector("[role=status]")) openTab("values");
lead(pane, pane);
Promise.all(frames.map(ready)).then(() => {
  join();
  frames.forEach(begin);
  frames.forEach(follow);
  document.documentElement.dataset.ready = "";
});
})();
