// A hook that keeps what it is given and answers as it is told: `node recorder.mjs DIRECTORY EVENT`. The n-th time an
// event comes the n-th answer in DIRECTORY/answers.json is printed.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [directory, event] = process.argv.slice(2);
const payload = readFileSync(0, "utf8");
const kept = readdirSync(directory).filter((file) => file !== "answers.json");
writeFileSync(join(directory, `${String(kept.length).padStart(3, "0")}-${event}.json`), payload);

const answers = JSON.parse(readFileSync(join(directory, "answers.json"), "utf8"))[event] ?? [];
const answer = answers[kept.filter((file) => file.endsWith(`-${event}.json`)).length];
if (answer) process.stdout.write(JSON.stringify(answer));
