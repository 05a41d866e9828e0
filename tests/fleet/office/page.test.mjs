// `grapnel ui --fleet` in the real Chromium, over a real fleet.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, startUi, watched } from "../../ui/page.mjs";
import { Company, Home, fire, flush, grapnel, until } from "./company.mjs";

const kHostile = "rm -rf '<img src=x onerror=alert(1)>'";
const kHooks = {
  hooks: { BeforeTool: [{ matcher: ".*", hooks: [{ type: "command", name: "no-rm", command: "grep -q 'rm -rf' && { echo 'not <b>that</b>' >&2; exit 2; }; exit 0" }] }] },
};
const pictures = process.env.GRAPNEL_PICTURES;

let company, machine, reader, browser, ui;
before(async () => {
  company = new Company();
  machine = await company.join(kHooks);
  fire(machine, kHostile);
  fire(machine, "git status");
  flush(machine);
  machine.later(["fleet", "machine"]);
  // A reader, who may only ask.
  reader = new Home();
  assert.equal(reader.fleet("join", company.token("--role", "reader")).status, 0);
  await until("the machine's heartbeat", () => JSON.parse(reader.fleet("status", "--json").out).machines[0].seen);
  browser = await openBrowser();
  ui = await startUi(grapnel, { env: reader.env, cwd: reader.path, words: ["--fleet"] });
});
after(async () => {
  await browser?.close();
  await ui?.stop();
  company?.end();
  reader?.remove();
});

const name = () => JSON.parse(machine.fleet("status", "--json").out).machine;

test("machines, what was denied, and old servers are shown, whatever the records say", async () => {
  const { page, context, faults } = await watched(browser);
  await page.goto(`${ui.origin}/#ticket=${ui.ticket}`);
  const row = page.locator("table.machines tbody tr");
  await row.waitFor();
  assert.equal(new URL(page.url()).pathname, "/f", "it opens with the fleet");
  assert.ok((await row.innerText()).includes(name()));
  assert.equal(await row.locator("[data-label=records]").innerText(), "2");
  assert.equal(await row.locator("[data-label=policy]").innerText(), "none");
  const rule = page.locator("table.denies tbody tr");
  assert.ok((await rule.innerText()).startsWith("no-rm"));
  assert.equal(await rule.locator("[data-label=machines]").innerText(), "1");
  const latest = page.locator("table.latest tbody tr");
  assert.equal(await latest.count(), 1);
  assert.ok((await latest.innerText()).includes(kHostile), "as text, and as nothing else");
  assert.equal(await page.locator("main img").count(), 0);
  await page.locator(".problem", { hasText: "nats-server" }).waitFor();
  for (const [width, scheme] of [[360, "light"], [1280, "dark"], [2560, "light"]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `no sideways scrolling at ${width}`);
    await page.screenshot({ path: join(pictures, `fleet-${width}.png`), fullPage: true });
  }
  // What comes later is shown without a reload.
  await page.setViewportSize({ width: 1280, height: 900 });
  fire(machine, "rm -rf /tmp");
  await page.locator("table.latest tbody tr", { hasText: "rm -rf /tmp" }).waitFor();
  // By keyboard.
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Doctor" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await row.waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("questions that wait for an approver are shown", async () => {
  // Whoever reads here may approve, too, and says so.
  assert.equal(reader.fleet("join", company.token("--role", "approver")).status, 0);
  mkdirSync(join(machine.path, ".config/agents"), { recursive: true });
  mkdirSync(join(machine.path, ".config/grapnel"), { recursive: true });
  writeFileSync(join(machine.path, ".config/grapnel/settings.yaml"), "ask: fleet\nask_wait: 200s\n");
  writeFileSync(join(machine.path, ".config/agents/grapnel.yaml"),
    "version: 1\nhooks:\n  - name: ask-first\n    on: PreToolUse\n    when: { tool: shell, command: npm publish }\n    ask: Publish this?\n");
  reader.later(["fleet", "approve", "--follow", "--json"]);
  const listeners = join(machine.path, "run/grapnel/asks/listeners");
  await until("the machine's listener", () => existsSync(listeners) && readdirSync(listeners).some((file) => file.startsWith("fleet-")));
  const call = machine.later(["fire", "--as", "codex"]);
  call.child.stdin.end(JSON.stringify({ hook_event_name: "PreToolUse", session_id: "s1", tool_name: "Bash", tool_input: { command: "npm publish" } }));
  const { page, context, faults } = await watched(browser);
  await page.goto(`${ui.origin}/f#ticket=${await ui.freshTicket()}`);
  const asks = page.getByRole("region", { name: "waiting" });
  await asks.getByText("npm publish").waitFor();
  assert.ok((await asks.innerText()).includes("Publish this?"));
  assert.ok((await asks.innerText()).includes(name()));
  call.child.kill("SIGKILL");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a collector that is away is told, and comes back", async () => {
  const { page, context } = await watched(browser);
  await page.goto(`${ui.origin}/f#ticket=${await ui.freshTicket()}`);
  await page.locator("table.machines").waitFor();
  company.office.fleet("down");
  await page.locator(".problem[role=alert]").waitFor();
  assert.ok(await page.locator("table.machines").isVisible(), "what was known stays");
  await until("the fleet", () => company.office.fleet("up").status === 0);
  await page.locator(".problem[role=alert]").waitFor({ state: "detached" });
  await context.close();
});

test("without --fleet there is no tab, and no answer", async () => {
  const plain = await startUi(grapnel, { env: reader.env, cwd: reader.path });
  const { page, context } = await watched(browser);
  await page.goto(`${plain.origin}/#ticket=${plain.ticket}`);
  await page.locator(".link.live").waitFor();
  assert.equal(await page.getByRole("link", { name: "Fleet" }).count(), 0);
  assert.equal(new URL(page.url()).pathname, "/");
  await page.goto(`${plain.origin}/f`);
  await page.getByText("started without").waitFor();
  await context.close();
  await plain.stop();
});
