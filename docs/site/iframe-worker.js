// Browsers start no worker for a page that was opened from a disk. Search runs in one, so there it gets a hidden frame that behaves like one.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(address) {
      super();
      const url = new URL(address, document.baseURI);
      this.#frame.hidden = true;
      this.#frame.srcdoc = "<!doctype html><title>search</title>";
      this.#ready = new Promise((ready) => {
        this.#frame.onload = () => {
          const inside = this.#frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = inside.document.createElement("script");
          script.src = url;
          script.onload = () => ready(inside);
          inside.document.body.append(script);
        };
      });
      const add = () => document.body.append(this.#frame);
      document.body ? add() : addEventListener("DOMContentLoaded", add);
    }

    async postMessage(data) {
      const inside = await this.#ready;
      inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
