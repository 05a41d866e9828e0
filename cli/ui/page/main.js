import { begin, offline, session } from "./api.js";
import { App } from "./app.js";
import { html, render } from "./html.js";
import { go } from "./route.js";
import { followJournal } from "./state.js";

render(html`<${App} />`, document.getElementById("page"));

let known = await begin();
while (!known && offline.value) {
  await new Promise((done) => setTimeout(done, 2000));
  known = await begin();
}
if (known && session.value.fleet && location.pathname === "/") go("/f", { replace: true });
if (known) followJournal();
