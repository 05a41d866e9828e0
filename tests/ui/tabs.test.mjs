// Browsers keep six connections to a server. Eight tabs share one stream, and each of them still gets its answers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setUp, unlock } from "./stage.mjs";

const kTabs = 8;

let stage;
before(async () => (stage = await setUp()));
after(() => stage?.end());

const event = (command) => ["claude", { hook_event_name: "PreToolUse", session_id: "tabs", cwd: stage.project, tool_name: "Bash", tool_input: { command } }];

/** Eight tabs of one browser, and how many streams of the server are open. */
const openTabs = async () => {
  const first = await stage.open("/t?view=list&range=all");
  const tabs = [first.page];
  let streams = 1;
  // Each tab but the first is opened while the first has the stream.
  const isLive = (request) => request.url().includes("/api/live");
  first.context.on("request", (request) => (streams += isLive(request)));
  for (const over of ["requestfailed", "requestfinished"]) first.context.on(over, (request) => (streams -= isLive(request)));
  while (tabs.length < kTabs) {
    const page = await first.context.newPage();
    await page.goto(`${stage.ui.origin}/t?view=list&range=all#ticket=${await stage.ui.freshTicket()}`);
    await page.locator(".link.live").waitFor();
    tabs.push(page);
  }
  return { ...first, tabs, streams: () => streams };
};

const shows = (page, text) => page.locator(".list td.subject", { hasText: text }).first().waitFor();

test("eight tabs are all live, through one stream", async () => {
  const { tabs, streams, context, faults } = await openTabs();
  assert.equal(streams(), 1);
  stage.fire([event("echo to-all-tabs")]);
  await Promise.all(tabs.map((page) => shows(page, "echo to-all-tabs")));
  for (const page of tabs) {
    await page.goto(`${stage.ui.origin}/s`);
    await page.locator(".stats-hooks tbody tr").first().waitFor();
    await page.goto(`${stage.ui.origin}/t?view=list&range=all`);
    await page.locator(".link.live").waitFor();
  }
  assert.equal(streams(), 1);

  // The tab with the stream goes; another one takes its place.
  for (const page of tabs.slice(0, kTabs - 2)) await page.close();
  const rest = tabs.slice(kTabs - 2);
  await Promise.all(rest.map((page) => page.locator(".link.live").waitFor()));
  stage.fire([event("echo to-the-rest")]);
  await Promise.all(rest.map((page) => shows(page, "echo to-the-rest")));

  // A tab that may write leads, wherever the stream was before: hooks wait only while such a page listens.
  await unlock(rest[1], stage.ui);
  stage.fire([event("echo after-unlocking")]);
  await Promise.all(rest.map((page) => shows(page, "echo after-unlocking")));
  assert.deepEqual(faults, []);
  await context.close();
});
