// `grapnel ui` in a terminal of its own, and a browser that reports every mistake: for the tests of the page, its measurements
// and the scenarios of agents. `tools/setup ui` installs what this needs.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** A name of somebody else that leads to this machine. */
export const kRebound = "rebound.example";

const packages = () => {
  const lock = readFileSync(join(import.meta.dirname, "package-lock.json"));
  const sum = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "grapnel", `ui-${sum}`, "node_modules");
};

export const openBrowser = () => {
  const { chromium } = createRequire(join(packages(), "x"))("playwright-core");
  const args = ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${kRebound} 127.0.0.1`];
  return chromium.launch({ executablePath: process.env.GRAPNEL_CHROMIUM ?? "/usr/bin/chromium", args });
};

/** The processes with that name below another process. */
const processesBelow = (top, name) => {
  const all = new Map();
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, comm, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
      all.set(Number(pid), { comm, parent: Number(parent) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (pid) => all.has(pid) && (all.get(pid).parent === top || isBelow(all.get(pid).parent));
  return [...all.keys()].filter((pid) => all.get(pid).comm === name && isBelow(pid));
};

/** Starts `grapnel ui` in a terminal; what that terminal shows is in `shown()`. */
export const startUi = async (grapnel, { env, cwd, words = [] }) => {
  const line = [grapnel, "ui", "--no-open", ...words].join(" ");
  const child = spawn("script", ["-qfec", line, "/dev/null"], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
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
  /** The server itself, which runs below the terminal. */
  const server = () => processesBelow(child.pid, "grapnel-ui")[0];
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
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
  return { origin, ticket, until, stop, freshTicket, shown: () => text, pid: child.pid, server };
};

/** A page that collects what must not be: errors, messages on the console, violations of the policy. */
export const watched = async (browser, { before = () => {}, ...options } = {}) => {
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

/** The code that the terminal shows. */
export const codeOf = async (ui) => (await ui.until(/code[^\n]*?\b([A-Z0-9]{4}(?:-[A-Z0-9]{4})*|\d{4,8})\b/i))[1];

/** Types the code that the terminal shows into the page. */
export const unlock = async (page, ui) => {
  await page.getByRole("button", { name: /^unlock/ }).first().click();
  await page.getByLabel("code").fill(await codeOf(ui));
  await page.keyboard.press("Enter");
  await page.locator(".lock.open").waitFor();
};
