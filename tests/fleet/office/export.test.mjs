// `grapnel fleet export` with a real fleet, and a collector that reads what comes as OpenTelemetry defines it.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startCollector } from "./collector.mjs";
import { Company, Home, fire, flush, until } from "./company.mjs";

const kSecret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const kHooks = {
  hooks: {
    BeforeTool: [
      { matcher: ".*", hooks: [{ type: "command", name: "guard", command: "grep -q 'rm -rf' && { echo 'not that' >&2; exit 2; }; exit 0" }] },
      { matcher: ".*", hooks: [{ type: "command", name: "broken", command: "exit 7" }] },
    ],
  },
};

let company, machine;
before(async () => {
  company = new Company();
  machine = await company.join(kHooks);
  assert.ok(fire(machine, "rm -rf /").out.includes("deny"));
  fire(machine, `curl -H 'Authorization: Bearer ${kSecret}' https://example.com`);
  fire(machine, "git status", { session_id: "session-2" });
  flush(machine);
});
after(() => company.end());

const exported = (home, url, { env = {}, words = [] } = {}) =>
  home.later(["fleet", "export", "--otlp", url, "--json", ...words], { env }).ended;
const cursors = (home) => join(home.path, ".config/grapnel/fleet/export");
const forgetCursors = (home) => rmSync(cursors(home), { recursive: true, force: true });
const ids = (list) => list.map(({ values }) => values["grapnel.id"]).sort();
/** The ids of all events in the central store. */
const stored = () =>
  company.office.fleet("log", "--json", "--limit", "0").out.trim().split("\n").map((line) => JSON.parse(line).record.id).sort();

test("an event is a span of its session's trace, hooks are below it, and a decision is a record of the log", async (t) => {
  const collector = await startCollector(t);
  const ended = await exported(company.office, collector.url, { env: { OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20x,A=b" } });
  assert.equal(ended.status, 0, ended.text);
  assert.deepEqual(JSON.parse(ended.out), { exported: 3, refused: 0, number: 3 });
  const { spans, logs, headers } = collector.got;
  assert.ok(headers.every((one) => one.authorization === "Bearer x" && one.a === "b"));
  assert.deepEqual(ids(logs), stored());
  const events = spans.filter((span) => !span.parentSpanId);
  assert.deepEqual(ids(events), stored());
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  const name = JSON.parse(machine.fleet("status", "--json").out).machine;
  for (const span of [...spans, ...logs]) {
    assert.match(span.traceId, /^[0-9a-f]{32}$/);
    assert.match(span.spanId, /^[0-9a-f]{16}$/);
    assert.equal(span.resource["service.instance.id"], name);
  }
  for (const span of spans) assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
  // A log record and its span say which decision it was.
  const denied = logs.find((log) => log.values["grapnel.verdict"] === "deny");
  assert.equal(denied.severityText, "WARN");
  assert.equal(denied.values["grapnel.decided_by"], "guard");
  assert.ok(denied.body.stringValue.includes("rm -rf /"));
  const event = events.find(({ spanId }) => spanId === denied.spanId);
  assert.equal(event.traceId, denied.traceId);
  assert.equal(event.values["gen_ai.tool.name"], "run_shell_command");
  // Hooks lie within their event, in its trace.
  const hooks = spans.filter(({ parentSpanId }) => parentSpanId === event.spanId);
  const own = hooks.map(({ name: title }) => title).filter((title) => !title.includes("grapnel:"));
  assert.deepEqual(own.sort(), ["hook broken", "hook guard"]);
  for (const hook of hooks) assert.equal(hook.traceId, event.traceId);
  assert.equal(hooks.find(({ name: title }) => title === "hook broken").status.code, 2);
  // Two sessions are two traces.
  assert.equal(new Set(events.map(({ traceId }) => traceId)).size, 2);
  // Records were masked when they were written.
  assert.ok(!JSON.stringify(collector.got).includes(kSecret));
  assert.ok(JSON.stringify(collector.got).includes("curl"));
  // The cursor is kept: nothing is sent again.
  const again = await exported(company.office, collector.url);
  assert.equal(JSON.parse(again.out).exported, 0);
  assert.equal(collector.got.logs.length, 3);
  // Without it, everything is; the ids are the same.
  const count = spans.length;
  forgetCursors(company.office);
  await exported(company.office, collector.url);
  assert.equal(spans.length, 2 * count);
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, count);
  assert.equal(collector.got.logs.length, 6);
});

test("a collector that fails, hangs up and stalls gets everything at least once", async (t) => {
  const trouble = [{ status: 503, headers: { "Retry-After": "0" } }, { status: 429 }, "hang up", "stall", { status: 502 }];
  const collector = await startCollector(t, ({ number }) => trouble[number - 1]);
  const ended = await exported(company.office, collector.url, { env: { OTEL_EXPORTER_OTLP_TIMEOUT: "500" }, words: ["--wait", "100s"] });
  assert.equal(ended.status, 0, ended.text);
  assert.equal(collector.got.requests, trouble.length + 2);
  assert.deepEqual([...new Set(ids(collector.got.logs))], stored());
});

test("a collector that is away is waited for, and nothing is lost when the patience ends", async (t) => {
  const collector = await startCollector(t, () => ({ status: 503, body: "later" }));
  const failed = await exported(company.office, collector.url, { words: ["--wait", "1s"] });
  assert.equal(failed.status, 1);
  assert.ok(failed.err.includes("answers 503 later"), failed.text);
  collector.misbehave = () => undefined;
  assert.equal(JSON.parse((await exported(company.office, collector.url)).out).exported, 3);
  assert.deepEqual(ids(collector.got.logs), stored());
});

test("a record that the collector refuses does not keep back the others", async (t) => {
  const poison = stored()[1];
  const collector = await startCollector(t, ({ text }) => (text.includes(poison) ? { status: 400, body: "bad record" } : undefined));
  const ended = await exported(company.office, collector.url);
  assert.equal(ended.status, 0, ended.text);
  assert.equal(JSON.parse(ended.out).refused, 2, "once as a log record and once as a span");
  assert.ok(ended.err.includes("bad record"), ended.text);
  assert.deepEqual(ids(collector.got.logs), stored().filter((id) => id !== poison));
});

test("a server that is no collector, or asks for a password, ends the export where it was", async (t) => {
  for (const status of [400, 401, 404, 500, 302]) {
    const collector = await startCollector(t, () => ({ status, headers: { Location: "http://127.0.0.1:1/" } }));
    const failed = await exported(company.office, collector.url);
    assert.equal(failed.status, 1, `${status}: ${failed.text}`);
    assert.ok(failed.err.includes(`answers ${status}`), failed.text);
    collector.misbehave = () => undefined;
    assert.equal(JSON.parse((await exported(company.office, collector.url)).out).exported, 3);
  }
});

test("what a collector says it did not take is told", async (t) => {
  const collector = await startCollector(t, ({ path }) =>
    path === "/v1/traces" ? { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' } : undefined);
  const ended = await exported(company.office, collector.url);
  assert.equal(ended.status, 0);
  assert.equal(JSON.parse(ended.out).refused, 2);
  assert.ok(ended.err.includes("did not take 2: too old"), ended.text);
});

test("a program that follows is killed, and the next one misses nothing", async (t) => {
  const collector = await startCollector(t);
  const words = ["fleet", "export", "--otlp", collector.url, "--follow"];
  let program = company.office.later(words);
  await until("the first records", () => collector.got.spans.length > 0);
  const busy = await exported(company.office, collector.url);
  assert.equal(busy.status, 1, "two programs would share a cursor");
  for (let round = 0; round < 3; ++round) {
    fire(machine, `echo ${round}`);
    flush(machine);
    program.child.kill("SIGKILL");
    await program.ended;
    program = company.office.later(words);
    await until("the new record", () => ids(collector.got.logs).includes(stored().at(-1)) && new Set(ids(collector.got.logs)).size === stored().length);
  }
  program.child.kill("SIGTERM");
  assert.equal((await program.ended).status, 0);
  assert.deepEqual([...new Set(ids(collector.got.logs))], stored());
});

test("lines of JSON for a SIEM go on where they ended, also in a new file", async () => {
  const file = join(company.office.path, "siem.jsonl");
  const lines = (path = file) => readFileSync(path, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const run = () => company.office.fleet("export", "--jsonl", file);
  assert.equal(run().status, 0);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(lines().map(({ record }) => record.id).sort(), stored());
  assert.ok(!readFileSync(file, "utf8").includes(kSecret));
  // Somebody renames it when it is large.
  renameSync(file, `${file}.1`);
  assert.equal(run().out, "Exported 0 records.\n");
  fire(machine, "one more");
  flush(machine);
  assert.equal(run().out, "Exported 1 record.\n");
  assert.equal(lines()[0].record.subject, "one more");
  // The power went away in the middle of a line.
  appendFileSync(file, '{"number":');
  fire(machine, "and another");
  flush(machine);
  assert.equal(run().status, 0);
  assert.equal(JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1)).record.subject, "and another");
  const piped = company.office.fleet("export", "--jsonl", "-");
  assert.equal(piped.out.trim().split("\n").length, stored().length);
});

test("a reader may export, and a machine may not", async () => {
  const reader = new Home();
  assert.equal(reader.fleet("join", company.token("--role", "reader")).status, 0);
  assert.equal(reader.fleet("export", "--jsonl", "-").out.trim().split("\n").length, stored().length);
  reader.remove();
  const refused = machine.fleet("export", "--jsonl", "-");
  assert.notEqual(refused.status, 0);
  assert.equal(refused.out, "");
});

test("mistakes on the command line are told", () => {
  for (const [words, what] of [
    [[], "--otlp URL or --jsonl FILE"],
    [["--otlp", "http://x", "--jsonl", "-"], "--otlp URL or --jsonl FILE"],
    [["--otlp", "collector:4318"], "write the base URL"],
  ]) {
    const ended = company.office.fleet("export", ...words);
    assert.equal(ended.status, 2, ended.text);
    assert.ok(ended.err.includes(what), ended.text);
  }
});

// The last one: the store is not the same afterwards.
test("when the central store was lost, its records are exported again", async (t) => {
  const collector = await startCollector(t);
  assert.equal((await exported(company.office, collector.url)).status, 0);
  const count = stored().length;
  company.office.fleet("down");
  const files = join(company.office.path, ".config/grapnel/fleet");
  await until("the collector's end", () => company.office.fleet("status").status !== 0);
  for (const name of readdirSync(files).filter((one) => one.startsWith("central.db"))) rmSync(join(files, name));
  await until("the fleet", () => company.office.fleet("up").status === 0);
  // Another machine comes first, so the old number is another record now.
  const other = await company.join();
  for (let i = 0; i < count + 3; ++i) fire(other, `other ${i}`);
  flush(other);
  // A machine notices with its next record.
  fire(machine, "after the loss");
  flush(machine);
  const before = collector.got.logs.length;
  const ended = await exported(company.office, collector.url);
  assert.equal(ended.status, 0, ended.text);
  assert.ok(ended.err.includes("begins again"), ended.text);
  assert.equal(collector.got.logs.length - before, stored().length);
  assert.deepEqual([...new Set(ids(collector.got.logs))], stored());
  assert.ok(existsSync(cursors(company.office)));
});
