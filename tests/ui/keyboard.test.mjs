// Everything by keyboard, with the state in the URL; and events that arrive while somebody looks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setUp } from "./stage.mjs";

let stage;
before(async () => (stage = await setUp()));
after(() => stage?.end());

const pickedIn = (page) => new URL(page.url()).searchParams.get("id");
const urlHas = (page, name) => page.waitForFunction((key) => new URL(location).searchParams.has(key), name);

test("j and k go from event to event, J and K to those that were stopped", async () => {
  const { page, context, faults } = await stage.open("/t?range=all");
  await page.locator(".gutter").first().waitFor();
  const all = stage.run("log", "--json", "--limit", "0").out.trim().split("\n").map((line) => JSON.parse(line)).filter(({ background }) => !background);
  const ids = all.map(({ id }) => id);
  const stops = all.filter(({ verdict }) => verdict === "deny" || verdict === "ask").map(({ id }) => id);
  const press = async (key, expected) => {
    await page.keyboard.press(key);
    await page.locator(`aside article[data-id="${expected}"]`).waitFor();
    assert.equal(pickedIn(page), expected);
  };
  await press("j", ids.at(-1));
  await press("k", ids.at(-2));
  await press("K", stops.filter((id) => ids.indexOf(id) < ids.length - 2).at(-1));
  const here = stops.indexOf(pickedIn(page));
  await press("K", stops[here - 1]);
  await press("J", stops[here]);
  await page.keyboard.press("Enter");
  await page.locator("article.event.page").waitFor();
  assert.match(page.url(), /\/e\//);
  await page.keyboard.press("K");
  await page.locator(`article.page[data-id="${stops[here - 1]}"]`).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(`aside article[data-id="${stops[here - 1]}"]`).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("aside").waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});

test("w s a d change the window, f shows everything, and a reload keeps it", async () => {
  const { page, context } = await stage.open("/t?range=all");
  await page.locator(".gutter").first().waitFor();
  const window = () => page.evaluate(() => ["from", "to"].map((name) => Number(new URL(location).searchParams.get(name))));
  await page.keyboard.press("w");
  await urlHas(page, "from");
  const [from, to] = await window();
  await page.keyboard.press("d");
  await page.waitForFunction((before) => Number(new URL(location).searchParams.get("from")) > before, from);
  const [later, laterEnd] = await window();
  assert.ok(Math.abs(laterEnd - later - (to - from)) <= 2, "panning keeps the span");
  await page.keyboard.press("s");
  await page.waitForFunction((before) => Number(new URL(location).searchParams.get("from")) < before, later);
  const wide = await window();
  await page.reload();
  await page.locator(".window").waitFor();
  assert.deepEqual(await window(), wide);
  await page.keyboard.press("f");
  await page.waitForFunction(() => new URL(location).searchParams.get("range") === "all");
  await context.close();
});

test("/ filters, the URL has the filter, and it survives a reload", async () => {
  const { page, context } = await stage.open("/t?range=all&view=list");
  await page.locator(".list tr[id]").first().waitFor();
  const all = await page.locator(".list tr[id]").count();
  await page.keyboard.press("/");
  await page.keyboard.type("verdict:deny agent:claude");
  await page.keyboard.press("Enter");
  const fewer = () => page.waitForFunction((before) => {
    const rows = [...document.querySelectorAll(".list tr[id]")];
    return rows.length > 0 && rows.length < before && rows.every((row) => row.querySelector(".verdict.deny"));
  }, all);
  await fewer();
  assert.equal(new URL(page.url()).searchParams.get("q"), "verdict:deny agent:claude");
  const shown = await page.locator(".list tr[id]").count();
  const wanted = stage.run("log", "--json", "--limit", "0", "--verdict", "deny", "--agent", "claude").out.trim().split("\n").length;
  assert.equal(shown, wanted);
  await page.reload();
  await fewer();
  assert.equal(await page.locator(".list tr[id]").count(), shown);
  assert.equal(await page.locator("#filter").inputValue(), "verdict:deny agent:claude");
  await page.keyboard.press("/");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("nothing-has-this-name");
  await page.getByText("Nothing matches").waitFor();
  await context.close();
});

test("g and a letter lead to each screen, ? lists the keys", async () => {
  const { page, context, faults } = await stage.open();
  for (const [letter, name] of [["h", "Hooks"], ["r", "Rules"], ["a", "Approvals"], ["u", "Trust"], ["s", "Stats"], ["d", "Doctor"]]) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await page.waitForFunction((title) => document.title.includes(title), name);
  }
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.locator(".lanes").waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await help.waitFor();
  for (const words of ["next deny or ask", "zoom in", "filter", "pause"]) assert.ok(await help.getByText(words).count(), words);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});

test("each control can be reached by Tab and shows that it has the focus", async () => {
  const { page, context } = await stage.open("/t");
  await page.locator(".gutter").first().waitFor();
  const seen = new Set();
  for (let at = 0; at < 60; at++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      return { name: element.getAttribute("aria-label") ?? element.textContent.trim(), ring: style.outlineStyle !== "none" || element.matches("[tabindex='-1'], body") };
    });
    assert.ok(here.ring, `a ring around ${here.name}`);
    seen.add(here.name);
  }
  for (const name of ["Rules", "unlock…", "1h", "filter", "list"]) assert.ok(seen.has(name), name);
  await context.close();
});

test("what is shown can be saved as one file that needs no server", async () => {
  const { page, context, faults } = await stage.open("/t?range=all&q=verdict:deny");
  await page.locator(".gutter").first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "export" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /^<!doctype html>/i);
  assert.match(text, /git push --force origin main/);
  assert.doesNotMatch(text, /<script/i);
  assert.deepEqual(faults, []);
  await context.close();
});

test("light and dark follow the system until somebody chooses", async () => {
  const { page, context } = await stage.open("/t", { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole("button", { name: "switch to light" }).click();
  const light = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await page.locator(".link.live").waitFor();
  assert.equal(await ground(), light);
  await context.close();
});

test("new events appear by themselves; a page that is paused counts them", async () => {
  const { page, context, faults } = await stage.open("/t?range=1h");
  await page.locator(".gutter").first().waitFor();
  const event = (session, command) => ["claude", { hook_event_name: "PreToolUse", session_id: session, cwd: stage.project, tool_name: "Bash", tool_input: { command } }];
  const arrived = page.evaluate(
    () =>
      new Promise((done) => {
        const look = () => (document.querySelector("[aria-label*='live-one']") ? done(Date.now()) : requestAnimationFrame(look));
        look();
      }),
  );
  stage.fire([event("live-one", "git push --force")]);
  const shown = await arrived;
  const [record] = stage.run("log", "--json", "--session", "live-one").out.trim().split("\n").map((line) => JSON.parse(line));
  console.log(`# live lag: ${shown - Date.parse(record.time)} ms from the event's time to the page, ${Math.round((record.us ?? 0) / 1000)} ms of them decided it`);
  await page.keyboard.press(" ");
  await page.locator(".live.off").waitFor();
  stage.fire([event("live-two", "ls"), event("live-two", "pwd")]);
  await page.getByText("paused, 2 new").waitFor();
  assert.equal(await page.locator("[aria-label*='live-two']").count(), 0);
  await page.keyboard.press(" ");
  await page.locator("[aria-label*='live-two']").first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
