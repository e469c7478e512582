// Runs in a world of its own in each page that is shown: reads the DOM as a person would see it, and knows what stood there before.
// What the page's scripts do to the prototypes of their world does not reach it.
(() => {
  "use strict";
  const VOID = new Set("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split(" "));
  const RAW = new Set("script style xmp iframe noembed noframes noscript plaintext".split(" "));
  const FURNITURE = new Set(["script", "style", "link"]);
  const HTML = "http://www.w3.org/1999/xhtml";
  const DEEPEST = 1500;  // levels: deeper ones are given as text
  const ENOUGH = 40;  // characters of new text that are more than "Loading..."
  const PARAGRAPH = 100;  // characters of a text that is missed when it has gone
  const seen = new WeakMap();
  const known = new Set();  // links and texts that were there at some time
  let largest = 0;  // links and texts at once
  let left = 0;  // characters that may still be given
  let isWhole = true;

  const isElement = node => node.nodeType === Node.ELEMENT_NODE;
  const escaped = text => text.replace(/[&<>\u00a0]/g, one => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;"})[one]);
  const quoted = text => escaped(text).replaceAll('"', "&quot;");

  const given = text => {
    left -= text.length;
    return left < 0 ? "" : text;
  };

  // What is shown inside an element: shadow trees in the place of what they hide, and in their slots what belongs there.
  const inside = node => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const assigned = node.localName === "slot" && node.getRootNode() instanceof ShadowRoot ? node.assignedNodes() : [];
    if (assigned.length) return assigned;
    return node.localName === "template" && node.content ? node.content.childNodes : node.childNodes;
  };

  const frameBody = node => {
    if (node.localName !== "iframe" || !(node.hasAttribute("srcdoc") || /^https?:/.test(node.src))) return null;
    const body = node.contentDocument && node.contentDocument.body;
    return body && node.checkVisibility() && node.clientHeight > 1 ? body : null;
  };

  const stateOf = node => isElement(node) ? (node.getAttribute("href") || "") + " " + (node.getAttribute("src") || "") : node.data;
  const isNew = node => seen.get(node) !== stateOf(node);

  const opening = (name, node, framed) => {
    let tag = "<" + name;
    for (const {name, value} of node.attributes) {
      const address = framed && (name === "href" || name === "src") && typeof node[name] === "string";
      tag += ` ${name}="${quoted(address ? node[name] : value)}"`;
    }
    return given(tag + ">");
  };

  const text = (node, all) => {
    const fresh = all || isNew(node);
    seen.set(node, node.data);
    if (!fresh || (!all && !node.data.trim())) return "";
    const parent = node.parentNode;
    if (!parent || !RAW.has(parent.localName) || parent.namespaceURI !== HTML) return given(escaped(node.data));
    return /<\/(?:script|style|xmp|iframe|noembed|noframes|noscript)/i.test(node.data) ? "" : given(node.data);
  };

  // `all`: as it stands; else only what is new since the last time, in the elements that it stands in.
  const element = (node, all, framed, depth) => {
    all = all || isNew(node);
    seen.set(node, stateOf(node));
    const html = node.namespaceURI === HTML;
    const name = !html ? node.tagName : node.localName === "plaintext" ? "pre" : node.localName;
    if (html && VOID.has(name)) return all ? opening(name, node, framed) : "";
    if (depth > DEEPEST) return all ? given(escaped(node.textContent)) : "";
    if (html && name === "iframe") {
      const body = frameBody(node);
      const content = body ? children(body, all, true, depth) : "";
      return (all ? opening(name, node, framed) + "</iframe>" : "") + (content && `<div>${content}</div>`);
    }
    const content = children(node, all, framed, depth);
    if ((html && name === "slot") || (!all && !content)) return content;
    return opening(name, node, framed) + content + `</${name}>`;
  };

  const children = (node, all, framed, depth) => {
    let out = "";
    for (const child of inside(node)) {
      if (isElement(child)) {
        if (all || isWhole || !FURNITURE.has(child.localName)) out += element(child, all, framed, depth + 1);
      } else if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) out += text(child, all);
      else if (all && child.nodeType === Node.COMMENT_NODE) out += given(`<!--${child.data.replace(/--!?>|^-?>/g, "")}-->`);
    }
    return out;
  };

  const everything = function* (root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      yield node;
      if (node.shadowRoot) yield* everything(node.shadowRoot);
      const body = isElement(node) ? frameBody(node) : null;
      if (body) yield* everything(body);
    }
  };

  // Links and texts that a person sees, as they are known again in other elements: lists that keep only what is in sight make them anew.
  const contents = function* () {
    for (const node of everything(document)) {
      const text = isElement(node) || RAW.has(node.parentNode.localName) ? "" : node.data.trim();
      if (text) yield [node, text.length + " " + text.slice(0, PARAGRAPH)];
      else if (node.localName === "a" && node.hasAttribute("href")) yield [node, "a " + node.getAttribute("href")];
    }
  };

  const remember = () => {
    const keys = Array.from(contents(), ([, key]) => key);
    keys.forEach(key => known.add(key));
    largest = Math.max(largest, keys.length);
  };

  const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

  globalThis.curator = {
    // How far the page is.
    state: () => ({ready: document.readyState, size: document.getElementsByTagName("*").length}),

    // The page (or what is new of it) as HTML; null: that is more than `most` characters. `url`: what the answer was to.
    read: (url, whole, most) => {
      left = most;
      isWhole = whole;
      const bare = address => address.split("#")[0];
      const needsBase = !whole || (!document.querySelector("base[href]") && bare(document.baseURI) !== bare(url));
      const base = needsBase ? `<base href="${quoted(bare(document.baseURI))}">` : "";
      const root = document.documentElement;
      let out = "<!DOCTYPE html>\n" + opening("html", root, false);
      for (const child of root.children) {
        const content = children(child, whole || isNew(child), false, 1);
        seen.set(child, stateOf(child));
        out += opening(child.localName, child, false) + (child.localName === "head" ? base : "") + content + `</${child.localName}>`;
      }
      remember();
      return left < 0 ? null : out + "</html>";
    },

    // All that stands there is known from now on.
    mark: () => {
      for (const node of everything(document)) seen.set(node, stateOf(node));
      remember();
    },

    // How much stands there that did not when it was read; what is known only counts where it came in addition.
    news: () => {
      const all = [...contents()];
      const news = all.filter(([node, key]) => isNew(node) && (all.length > largest || !known.has(key))).map(([node]) => node);
      const links = news.filter(isElement).length;
      const characters = news.reduce((sum, node) => sum + (isElement(node) ? 0 : node.data.trim().length), 0);
      return {links, any: links > 0 || characters >= ENOUGH};
    },

    // How many links and paragraphs have stood there that do not any more.
    gone: () => {
      const missing = new Set([...known].filter(key => key.startsWith("a ") || parseInt(key) >= PARAGRAPH));
      for (const [, key] of contents()) missing.delete(key);
      return missing.size;
    },

    // Down by nearly what is in sight, as some lists keep no more than that; `attempt`: after the first one some way back before it,
    // as people do it whom nothing came for. Gives whether there is more below.
    scroll: async attempt => {
      const overflows = node => isElement(node) && node.clientHeight >= 100 && node.scrollHeight >= node.clientHeight + 50;
      const scrolls = node => overflows(node) && /auto|scroll|overlay/.test(getComputedStyle(node).overflowY);
      const boxes = [document.scrollingElement || document.documentElement, ...[...everything(document)].filter(scrolls)];
      const move = share => boxes.forEach(box => box.scrollBy({top: box.clientHeight * share, behavior: "instant"}));
      if (attempt) {
        move(-attempt - 0.5);
        await pause(200);
        move(attempt);
      }
      move(0.8);
      await pause(100);
      return boxes.some(box => box.scrollTop + box.clientHeight < box.scrollHeight - 1);
    },
  };
})();
