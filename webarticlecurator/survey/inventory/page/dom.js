// The data, elements, numbers, and the clipboard.

"use strict";

const INVENTORY = JSON.parse(document.getElementById("inventory").textContent);

const PROPERTIES = new Set(["className", "value"]);

/** An element. What comes from a portal's pages enters this page only here, as text nodes and as values, never as markup. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (PROPERTIES.has(key) || typeof value === "function" || typeof value === "boolean") made[key] = value;
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const whole = (number) => WHOLE.format(number);
const tenths = (number) => TENTHS.format(number);
const percent = (part, all) => (all ? `${tenths((100 * part) / all)} %` : "–");

/** Say something to the person for a while, also to one who listens. */
function say(sentence) {
  const said = document.getElementById("said");
  clearTimeout(say.ending);
  said.textContent = sentence;
  say.ending = setTimeout(() => (said.textContent = ""), 8_000);
}

function copyButton(label, text, title) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say(`Copied: ${text()}`);
    } catch {
      say("The browser does not let this page copy; select the text, and copy it with the keyboard.");
    }
  };
  return element("button", { type: "button", className: "copy", onclick: copy, title }, label);
}

/** A link where the address is one that may be followed, else its text. */
function linkTo(address) {
  if (!/^https?:\/\//i.test(address)) return element("span", { className: "address" }, address);
  return element("a", { href: address, rel: "noreferrer noopener", target: "_blank", className: "address" }, address);
}

/** Whether a text holds all the words that are looked for. */
function holds(text, wanted) {
  return wanted.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** Wait until the person has stopped typing. */
function afterTyping(act) {
  let waiting;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(act, 120);
  };
}

function searchField(label, act) {
  const input = element("input", { type: "search", autocomplete: "off", spellcheck: false });
  input.oninput = afterTyping(act);
  return { input, field: element("label", { className: "search" }, label, input) };
}
