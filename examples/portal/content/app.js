// What makes pages of the addresses under /app/. Each view is one way in which portals show an archive.
"use strict";

const app = document.getElementById("app");
const words = app.dataset;

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw Object.assign(new Error(path), { status: answer.status });
  return answer.json();
}

const listed = (column, page) => ask(`/app/api/lista/${column}/${page}`);

function make(tag, settings = {}, ...inside) {
  const element = Object.assign(document.createElement(tag), settings);
  element.append(...inside);
  return element;
}

function teaser(article) {
  const time = make("time", {}, article.mikor);
  time.setAttribute("datetime", article.megjelent);
  return make("article", { className: "teaser" },
    make("h2", {}, make("a", { href: article.link }, article.cim)),
    make("p", { className: "adatok" },
      make("span", { className: "rovat" }, article.rovat), " ", make("span", { className: "szerzo" }, article.szerzok.join(", ")), " ", time),
    make("p", { className: "beharangozo" }, article.bevezeto));
}

const nothing = () => make("p", { className: "ures" }, words.nothing);
const onward = (href) => make("nav", { className: "lapozo" }, make("a", { className: "kovetkezo", href }, `${words.older} »`));

// One page after the other, each with an address of its own, which the server answers with the same empty frame.
async function numbered(column, page, show, item = teaser) {
  const list = await listed(column, page);
  show(make("div", { className: "lista" }, ...list.cikkek.map(item)), list.cikkek.length ? "" : nothing(),
    list.kovetkezo ? onward(`/app/${column}/${list.kovetkezo}`) : "");
}

const pageOf = (path) => Number(path.split("/")[3] || 1);

const views = {
  async cimlap() {
    const newest = await ask("/app/api/cimlap");
    app.append(make("h1", {}, "Kilenchíd"), ...newest.cikkek.map(teaser));
  },

  async hirek() {
    await numbered("hirek", pageOf(location.pathname), (...shown) => app.append(...shown));
  },

  // More comes whenever the end of the list comes into sight.
  async gorgetett() {
    const list = make("div", { className: "lista gorgetett" });
    const end = make("div", { className: "vege" }, "…");
    app.append(list, end);
    let next = 1;
    const more = async () => {
      observer.unobserve(end);
      const page = await listed("gorgetett", next);
      list.append(...page.cikkek.map(teaser));
      next = page.kovetkezo;
      if (next) observer.observe(end);
      else end.replaceWith(nothing());
    };
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && more(), { rootMargin: "100px" });
    observer.observe(end);
  },

  // A button brings more, and says how many there are.
  async tovabbi() {
    const list = make("div", { className: "lista" });
    const count = make("p", { className: "osszesen" });
    const button = make("button", { className: "tobb", type: "button" }, words.older);
    app.append(list, count, button);
    let next = 1;
    const more = async () => {
      button.disabled = true;
      const page = await listed("tovabbi", next);
      list.append(...page.cikkek.map(teaser));
      count.textContent = `${list.children.length} / ${page.osszesen}`;
      next = page.kovetkezo;
      button.disabled = false;
      if (!next) button.remove();
    };
    button.addEventListener("click", more);
    await more();
  },

  // Its links change the address without leaving the page.
  async alkalmazas() {
    const show = () => numbered("alkalmazas", pageOf(location.pathname), (...shown) => app.replaceChildren(...shown));
    app.addEventListener("click", (event) => {
      const link = event.target.closest("a.kovetkezo");
      if (!link) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      show();
    });
    addEventListener("popstate", show);
    await show();
  },

  // A list that is a component, of items that are components, whose headlines are given to them from outside.
  async arnyek() {
    customElements.define("cikk-kartya", class extends HTMLElement {
      set cikk(article) {
        const inside = teaser(article);
        inside.querySelector("h2").replaceChildren(make("slot"));
        this.attachShadow({ mode: "open" }).append(inside);
        this.append(make("a", { href: article.link }, article.cim));
      }
    });
    const shadow = make("cikk-lista").attachShadow({ mode: "open" });
    app.append(shadow.host);
    const card = (article) => make("cikk-kartya", { cikk: article });
    await numbered("arnyek", pageOf(location.pathname), (...shown) => shadow.append(...shown), card);
  },

  // A wall before the list, until its button was pressed once; the answer is kept in a cookie.
  async hozzajarulas() {
    const show = () => numbered("hozzajarulas", pageOf(location.pathname), (...shown) => app.append(...shown));
    try {
      await show();
    } catch (error) {
      if (error.status !== 403) throw error;
      const button = make("button", { className: "elfogadom", type: "button" }, "Elfogadom");
      const wall = make("div", { className: "fal", role: "dialog" }, make("p", {}, words.cookies), button);
      button.addEventListener("click", async () => {
        await fetch("/app/api/hozzajarulas", { method: "POST" });
        wall.remove();
        await show();
      });
      document.body.append(wall);
    }
  },

  // Head and text come as HTML in JSON. What is spoken stands in a component, behind a shadow root.
  async cikk() {
    const [section, number] = location.pathname.split("/").slice(3);
    let article;
    try {
      article = await ask(`/app/api/cikk/${section}/${number}`);
    } catch (error) {
      document.body.className = "hiba";
      app.append(make("h1", {}, String(error.status || "?")), make("p", {}, "Nincs ilyen cikk."));
      return;
    }
    document.title = `${article.cim} - Kilenchíd`;
    document.head.insertAdjacentHTML("beforeend", article.fej);
    app.innerHTML = article.html;
    const body = app.querySelector(".torzs");
    if (section === "podcast") {
      const component = make("cikk-torzs");
      component.attachShadow({ mode: "open" });
      body.replaceWith(component);
      component.shadowRoot.append(body);
    }
    if (section === "sport") {
      // The second half comes when it is asked for.
      const hidden = [...body.children].slice(Math.ceil(body.children.length / 2));
      const button = make("button", { className: "tovabb-olvasom", type: "button" }, "Tovább olvasom");
      hidden.forEach((block) => block.remove());
      body.append(button);
      button.addEventListener("click", () => button.replaceWith(...hidden));
    }
  },
};

navigator.sendBeacon("/app/api/szamlalo", words.view);
views[words.view]();
