// An ask waits in the page until a person answers: the hook of a real event hears the answer.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pictures, setUp, unlock } from "./stage.mjs";

let stage, page, faults, context;
before(async () => {
  stage = await setUp({
    prepare(home) {
      mkdirSync(join(home, ".config/grapnel"), { recursive: true });
      writeFileSync(join(home, ".config/grapnel/settings.yaml"), "ask: page\nask_wait: 60s\n");
    },
  });
  ({ page, context, faults } = await stage.open("/a"));
  await unlock(page, stage.ui);
});
after(() => stage?.end());

const publish = (session, command = "npm publish") => ({
  hook_event_name: "PreToolUse", session_id: session, cwd: stage.project, permission_mode: "default", tool_name: "Bash", tool_input: { command },
});
const ask = (session) => publish(session, "cargo publish");
const card = (text) => page.locator(".ask-card", { hasText: text });

test("nothing is preselected, and Enter does nothing while a card has just moved", async () => {
  const heard = stage.fireLater("claude", publish("guarded", "npm publish --tag guarded"));
  await card("--tag guarded").waitFor();
  const chosen = await page.evaluate(() => document.activeElement.closest(".ask-card") !== null);
  assert.equal(chosen, false, "no button of the card has the focus");
  assert.match(await page.title(), /^\(1\)/);
  assert.match(await page.locator(".ask-card .left").innerText(), /00:5\d left|01:00 left/);
  for (const [width, colorScheme] of [[360, "light"], [360, "dark"], [2560, "light"], [1280, "dark"], [1280, "light"]]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(beyond <= 0, `the card is ${beyond} px wider than ${width} px`);
    await page.screenshot({ path: join(pictures, `approvals-waiting-${width}-${colorScheme}.png`) });
  }
  // A second card moves the first one: an Enter at that moment was not meant for it.
  await card("--tag guarded").getByRole("button", { name: "allow once" }).focus();
  const second = stage.fireLater("claude", publish("second", "npm publish --tag second"));
  await page.evaluate(
    () =>
      new Promise((done) => {
        const look = () => {
          if (document.querySelectorAll(".ask-card").length < 2) return requestAnimationFrame(look);
          document.activeElement.click();
          done();
        };
        look();
      }),
  );
  assert.equal(await page.locator(".ask-card").count(), 2, "none was answered");
  await page.locator(".cards.settled").waitFor();
  await card("--tag guarded").getByRole("button", { name: "deny" }).click();
  assert.match(await heard, /deny/);
  await card("--tag guarded").waitFor({ state: "detached" });
  await page.locator(".cards.settled").waitFor();
  await card("--tag second").getByRole("button", { name: "allow once" }).focus();
  await page.keyboard.press("Enter");
  assert.match(await second, /allow/);
  await page.getByText("Nobody waits for you").waitFor();
});

test("an answer for the session holds for the next call, and only for what it names", async () => {
  const first = stage.fireLater("claude", publish("whole", "npm publish --tag one"));
  await card("--tag one").waitFor();
  await page.locator(".cards.settled").waitFor();
  await card("--tag one").getByRole("button", { name: "this session…" }).click();
  assert.ok(await page.getByRole("button", { name: "allow for this session" }).isDisabled(), "exactly this or a pattern: a person chooses");
  await page.getByLabel("everything like").check();
  assert.equal(await page.getByLabel("pattern").inputValue(), "npm publish *");
  await page.getByRole("button", { name: "allow for this session" }).click();
  assert.match(await first, /allow/);
  assert.match(await stage.fireLater("claude", publish("whole", "npm publish --tag two")), /allow/);
  assert.equal(await page.locator(".ask-card").count(), 0);
});

test("a rule answers this call and the next ones", async () => {
  const heard = stage.fireLater("claude", publish("by-rule", "npm publish --tag ruled"));
  await card("--tag ruled").waitFor();
  await page.locator(".cards.settled").waitFor();
  await card("--tag ruled").getByRole("button", { name: "make a rule…" }).click();
  const rule = page.getByLabel("rule", { exact: true });
  await page.waitForFunction(() => document.querySelector(".ask-card textarea")?.value.includes("npm publish"));
  await rule.fill("version: 1\nhooks:\n  - name: never-publish\n    on: PreToolUse\n    when: { tool: shell, command: npm publish }\n    deny: Only people publish.\n");
  await page.getByRole("button", { name: "save the rule and answer with it" }).click();
  assert.match(await heard, /deny/);
  assert.ok(stage.run("list", "--json").json().hooks.some(({ name }) => name === "never-publish"));
  assert.match(await stage.fireLater("claude", publish("by-rule-2")), /Only people publish/);
});

test("the event says what the person answered, as `grapnel why` does", async () => {
  const answered = stage.run("log", "--json", "--session", "second").out.trim().split("\n").map((line) => JSON.parse(line)).find(({ person }) => person);
  await page.goto(`${stage.ui.origin}/e/${answered.id}`);
  await page.getByText("allowed once").first().waitFor();
  await page.goto(`${stage.ui.origin}/a`);
  await page.locator("main.approvals h1").waitFor();
});

test("a page that is closed answers nothing", async () => {
  const heard = stage.fireLater("claude", ask("left-alone"));
  await card("cargo publish").waitFor();
  await context.close();
  assert.match(await heard, /"ask"/, "the agent asks by itself, as it does without a page");
  assert.deepEqual(faults, []);
});
