// What somebody sees on the first day, and when something is missing.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pictures, setUp } from "./stage.mjs";

let stage;
before(async () => (stage = await setUp({ withRules: false, withEvents: false })));
after(() => stage?.end());

const teaches = [
  ["/t", "No events yet", "grapnel install claude"],
  ["/t?view=list", "No events yet", "grapnel install claude"],
  ["/r", "Nothing to replay", "grapnel install claude"],
  ["/a", "Nobody waits for you", "ask: page"],
  ["/h", "No hooks yet", "grapnel init"],
  ["/trust", "Nothing to trust", "grapnel ui"],
  ["/s", "Nothing to count yet", "grapnel install claude"],
  ["/e/0000", "No such event", "GRAPNEL_KEEP"],
];

test("empty screens say what to do next", async () => {
  const { page, context, faults } = await stage.open();
  for (const [path, title, hint] of teaches) {
    await page.goto(stage.ui.origin + path);
    await page.getByRole("heading", { name: title }).waitFor();
    assert.ok(await page.locator(".empty code", { hasText: hint }).count(), `${path} says ${hint}`);
    await page.screenshot({ path: join(pictures, `empty${path.replaceAll(/\W+/g, "-")}.png`) });
  }
  // The event that does not exist is the only thing that went wrong.
  assert.deepEqual(faults.filter((fault) => !fault.includes("404")), []);
  await context.close();
});

test("the first event fills the page without a reload", async () => {
  const { page, context } = await stage.open("/t");
  await page.getByText("No events yet").waitFor();
  stage.fire([["claude", { hook_event_name: "PreToolUse", session_id: "first-of-all", cwd: stage.project, tool_name: "Bash", tool_input: { command: "ls" } }]]);
  await page.locator("[aria-label*='first-of-all']").first().waitFor();
  assert.match(await page.locator(".window .soft").innerText(), /\d\d s|min/, "a single event is not looked at in milliseconds");
  assert.match(await page.locator(".head .facts").innerText(), /^1 event /);
  await page.screenshot({ path: join(pictures, "first-event.png") });
  await context.close();
});

test("a page whose server has ended says so, and goes on by itself", async () => {
  const other = await setUp({ withRules: false, withEvents: false });
  try {
    const { page } = await other.open("/t");
    await other.ui.stop();
    await page.getByText("grapnel ui does not answer").first().waitFor();
    assert.ok(await page.locator(".link.lost").count());
  } finally {
    await other.end();
  }
});

test("an address without a ticket explains itself", async () => {
  const { page, context } = await stage.watched();
  await page.goto(`${stage.ui.origin}/t`);
  await page.getByRole("heading", { name: "This address needs a ticket" }).waitFor();
  await page.goto(`${stage.ui.origin}/t#ticket=0123`);
  await page.reload();
  await page.getByRole("heading", { name: /This ticket was used|needs a ticket/ }).waitFor();
  await context.close();
});
