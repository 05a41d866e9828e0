// What a test has: a home with a journal, `grapnel ui` in a terminal of its own, and a browser that reports every mistake.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { events, fire, fireLater, makeHome } from "./journal.mjs";

const { chromium } = createRequire(join(resolve(process.env.GRAPNEL_UI_PACKAGES), "x"))("playwright-core");

export const grapnel = resolve(process.env.GRAPNEL);
export const pictures = resolve(process.env.GRAPNEL_PICTURES ?? "build/ui-screenshots");
/** A name of somebody else that leads to this machine. */
export const kRebound = "rebound.example";
export const kWidths = [360, 1280, 2560];

/** Only what a person's shell would have: what this test runs in must not decide what is allowed. */
const environment = (home) => ({
  HOME: home,
  XDG_RUNTIME_DIR: join(home, ".run"),
  PATH: `${dirname(grapnel)}:${process.env.PATH}`,
  LANG: "C.UTF-8",
  TERM: "xterm",
  TZ: "UTC",
  GRAPNEL_PAYLOADS: "full",
});

/** Runs the command and reads what it prints. */
export const run = (home, cwd, ...words) => {
  const done = spawnSync(grapnel, words, { env: environment(home), cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  return { status: done.status, out: done.stdout, err: done.stderr, json: () => JSON.parse(done.stdout) };
};

/** Starts `grapnel ui` in a terminal; what that terminal shows is in `shown()`. */
const startUi = async (home, cwd, words) => {
  const line = [grapnel, "ui", "--no-open", ...words].join(" ");
  const child = spawn("script", ["-qfec", line, "/dev/null"], { cwd, env: environment(home), stdio: ["pipe", "pipe", "pipe"] });
  let text = "";
  const waiting = new Set();
  const hear = (chunk) => {
    text += chunk;
    waiting.forEach((look) => look());
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const until = (pattern) =>
    new Promise((done, fail) => {
      const look = () => {
        const found = pattern.exec(text);
        if (!found) return;
        waiting.delete(look);
        done(found);
      };
      waiting.add(look);
      child.on("exit", () => fail(new Error(`grapnel ui ended: ${text}`)));
      look();
    });
  const [, origin, ticket] = await until(/(http:\/\/127\.0\.0\.1:\d+)\/#ticket=([\w-]+)/);
  const stop = async () => {
    if (child.exitCode !== null) return;
    const over = new Promise((done) => child.on("exit", done));
    child.stdin.end();
    child.kill("SIGTERM");
    await over;
  };
  const freshTicket = async () => {
    const before = text.length;
    child.stdin.write("\n");
    for (;;) {
      const found = /#ticket=([\w-]+)/.exec(text.slice(before));
      if (found) return found[1];
      await new Promise((done) => child.stdout.once("data", done));
    }
  };
  return { origin, ticket, until, stop, freshTicket, shown: () => text, pid: child.pid };
};

const openBrowser = () => chromium.launch({ executablePath: process.env.GRAPNEL_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${kRebound} 127.0.0.1`] });

/** A page that collects what must not be: errors, messages on the console, violations of the policy. */
const watched = async (browser, { before = () => {}, ...options } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => (faults.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  await before(page);
  return { page, context, faults };
};

/**
 * @param {{withRules?: boolean, withEvents?: boolean, words?: string[], list?: Function}} options
 */
export const setUp = async ({ withRules = true, withEvents = true, words = [], list = events, prepare = () => {}, startLater = false } = {}) => {
  const home = mkdtempSync(join(tmpdir(), "grapnel-ui-"));
  const { project } = makeHome(home, { withRules });
  prepare(home);
  if (withEvents) fire(grapnel, environment(home), project, list(project));
  mkdirSync(pictures, { recursive: true });
  const browser = await openBrowser();
  const stage = {
    home, project, browser,
    async start() {
      stage.ui = await startUi(home, project, words);
    },
    run: (...line) => run(home, project, ...line),
    write: (name, text) => writeFileSync(join(project, name), text),
    fire: (more) => fire(grapnel, environment(home), project, more),
    /** A tab with a key of its own. */
    async open(path = "/t", options = {}) {
      const { page, context, faults } = await watched(browser, options);
      const { ui } = stage;
      const ticket = stage.used ? await ui.freshTicket() : ui.ticket;
      stage.used = true;
      await page.goto(`${ui.origin}${path}#ticket=${ticket}`);
      await page.locator(".link.live").waitFor();
      return { page, context, faults };
    },
    /** Fires while the page is looked at; the answer comes when somebody gave it. */
    fireLater: (agent, payload) => fireLater(grapnel, environment(home), project, agent, payload),
    watched: (options) => watched(browser, options),
    async end() {
      await browser.close();
      await stage.ui?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  if (!startLater) await stage.start();
  return stage;
};

/** The code that the terminal shows. */
export const codeOf = async (ui) => (await ui.until(/code[^\n]*?\b([A-Z0-9]{4}(?:-[A-Z0-9]{4})*|\d{4,8})\b/i))[1];
