// A hook asks, and a person answers in the page of `grapnel ui`, in Chromium.
import { join } from "node:path";
import { openBrowser, startUi, unlock, watched } from "../../../ui/page.mjs";
import { checksFor, playWith, reason } from "../../asking.mjs";

export { agents, project } from "../../asking.mjs";
export const title = "a person answers in the page of grapnel ui";

/// A person who looks at the approvals in an unlocked page and answers each question, or does not.
class Looking {
  constructor(stage) {
    this.stage = stage;
    this.asked = [];
  }

  async arrive() {
    const { stage } = this;
    this.ui = await startUi(stage.grapnelProgram, { env: { ...stage.environment, TERM: "xterm" }, cwd: stage.home });
    this.browser = await openBrowser();
    ({ page: this.page, faults: this.faults } = await watched(this.browser));
    await this.page.goto(`${this.ui.origin}/a#ticket=${this.ui.ticket}`);
    await this.page.locator(".link.live").waitFor();
    await unlock(this.page, this.ui);
    this.watching = this.watch();
    return this;
  }

  /// Looks at one card after the other, until the server is gone.
  async watch() {
    const { page } = this;
    for (;;) {
      await page.locator(".ask-card").first().waitFor({ timeout: 0 });
      // By its id: when it is answered, the first card is the next one.
      const card = page.locator(`.ask-card[data-id="${await page.locator(".ask-card").first().getAttribute("data-id")}"]`);
      const subject = await card.locator(".subject-box .said").last().innerText();
      this.asked.push(subject);
      await page.screenshot({ path: join(this.stage.root, `page-${this.asked.length}.png`) });
      if (subject === "touch abandoned") return process.kill(this.ui.server(), "SIGKILL");
      await this.answer(subject, card);
      await card.waitFor({ state: "detached", timeout: 60_000 });
    }
  }

  async answer(subject, card) {
    await this.page.locator(".cards.settled").waitFor();
    if (subject === "touch allowed") await card.getByRole("button", { name: "allow once" }).click();
    if (subject !== "touch denied") return;
    await card.getByLabel("reason").fill(reason);
    await card.getByRole("button", { name: "deny" }).click();
  }

  /// What the page could not do in between is a failure of the scenario; that its end interrupts it is not.
  async leave() {
    const over = this.browser.close();
    const failed = await this.watching.then(() => null, (error) => error);
    await over;
    await this.ui.stop();
    if (failed && !/has been closed|Target closed/.test(failed.message)) throw failed;
  }
}

export const play = playWith((stage) => new Looking(stage).arrive());
export const checks = checksFor("page", "page");
