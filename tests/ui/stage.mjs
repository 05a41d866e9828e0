// What a test has: a home with a journal, `grapnel ui` in a terminal of its own, and a browser that reports every mistake.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { events, fire, fireLater, makeHome } from "./journal.mjs";
import { openBrowser, startUi, watched } from "./page.mjs";

export { codeOf, kRebound, unlock } from "./page.mjs";

export const grapnel = resolve(process.env.GRAPNEL);
export const pictures = resolve(process.env.GRAPNEL_PICTURES ?? "build/ui-screenshots");
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
      stage.ui = await startUi(grapnel, { env: environment(home), cwd: project, words });
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
