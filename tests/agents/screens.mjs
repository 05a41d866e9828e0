// What a person read on the screen, as docs/status.md shows it: screens/SCENARIO-AGENT.txt. A test of the ordinary suite holds
// that page against these files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "screens");

/// The paragraph of a screen that has the notice in it, without what differs from run to run.
function paragraph(screen, home, notice) {
  const found = screen.split(/\n\s*\n/).find((text) => notice.test(text.replace(/\s+/g, " "))) ?? "";
  const lines = found.split("\n").filter(Boolean);
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  const text = lines.map((line) => line.slice(indent) + "\n").join("");
  return text.replaceAll(home, "/home/you").replace(/\d{4}-\d\d-\d\d\s+\d\d:\d\d(?=\s+UTC)/g, "2026-01-31 12:00");
}

/// Compares the notice on a screen with the one that is kept, or keeps it. Answers what is wrong, or nothing.
export function compareScreen(stage, scenario, notice, isUpdate) {
  const file = join(folder, `${scenario}-${stage.agent.name}.txt`);
  const text = paragraph(stage.screen, stage.home, notice);
  if (isUpdate) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  const kept = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text && text === kept ? "" : `the notice is not the one of ${file}; --update writes it`;
}
