// The engine from JavaScript: events, callbacks of every kind, giving up, closing, threads.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Engine, GrapnelError, toolAccess } from 'grapnel';

const push = { event: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push --force' } };
const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];

async function open(context, options = {}) {
  const engine = await Engine.open({ useHookFiles: false, ...options });
  context.after(() => engine.close());
  return engine;
}

test('require gives the same as import', () => {
  assert.equal(createRequire(import.meta.url)('grapnel').Engine, Engine);
  assert.match(Engine.version, /^\d+\.\d+\.\d+/);
});

test('an event that nobody wants', async (t) => {
  const engine = await open(t);
  const decision = await engine.fire(push);
  assert.equal(decision.verdict, 'pass');
  assert.equal(decision.origin, 'no-hook');
  assert.deepEqual(engine.fireSync(push), decision);
});

// Each row: what a callback does, and the decision's verdict and reason (with onFailure: closed).
const callbacks = [
  ['answers', () => ({ verdict: 'deny', reason: 'no' }), 'deny', /^no$/],
  ['answers later', async () => ({ verdict: 'ask', reason: 'sure?' }), 'ask', /^sure\?$/],
  ['says nothing', () => undefined, 'pass', null],
  ['says null, later', async () => null, 'pass', null],
  ['throws', () => { throw new Error('broken'); }, 'deny', /broken/],
  ['rejects', async () => { throw new Error('broken later'); }, 'deny', /broken later/],
  ['throws no error', () => { throw 'a string'; }, 'deny', /a string/],
  ['answers nonsense', () => ({ verdict: 'maybe' }), 'deny', /maybe/],
  ['answers a number', () => 3, 'deny', /not a JSON object/],
  ['never answers', () => new Promise(() => {}), 'deny', /timed out/, { timeoutMs: 50 }],
];
for (const [name, callback, verdict, reason, options] of callbacks) {
  test(`a callback that ${name}`, async (t) => {
    const engine = await open(t);
    engine.on('PreToolUse', callback, { onFailure: 'closed', ...options });
    const decision = await engine.fire(push);
    assert.equal(decision.verdict, verdict);
    reason ? assert.match(decision.reason, reason) : assert.equal(decision.reason, null);
  });
}

test('a callback gets the event, and its signal tells when time is over', async (t) => {
  const engine = await open(t);
  const aborted = new Promise((resolve) => {
    engine.on('PreToolUse', (event, signal) => {
      assert.equal(event.tool_input.command, 'git push --force');
      signal.addEventListener('abort', resolve);
      return new Promise(() => {});
    }, { timeoutMs: 50 });
  });
  assert.equal((await engine.fire(push)).origin, 'fail-open');
  await aborted;
});

test('a callback may change the input, add context and pass data on', async (t) => {
  const engine = await open(t);
  engine.on('PreToolUse', () => ({ rewrite: { input_patch: { command: 'git push' } }, context: 'changed', data: { n: 1 } }),
    { name: 'it' });
  const decision = await engine.fire(push);
  assert.deepEqual(decision.inputFor(push.tool_input), { command: 'git push' });
  assert.equal(decision.contextText, 'changed');
  assert.deepEqual(decision.data, [{ hook: 'it', data: { n: 1 } }]);
});

test('a callback may fire events itself', async (t) => {
  const engine = await open(t);
  engine.on('PreToolUse', async () => ({ verdict: (await engine.fire({ event: 'PermissionRequest', ...push, event: 'PermissionRequest' })).verdict }));
  engine.on('PermissionRequest', async () => ({ verdict: 'deny', reason: 'inner' }));
  assert.equal((await engine.fire(push)).verdict, 'deny');
});

test('tools, names, and removing', async (t) => {
  const engine = await open(t);
  const off = engine.on('PreToolUse', () => ({ verdict: 'deny' }), { name: 'no-write', tools: 'Write|Edit' });
  assert.equal((await engine.fire(push)).verdict, 'pass');
  assert.equal((await engine.fire({ ...push, tool_name: 'Write' })).verdict, 'deny');
  assert.throws(() => engine.on('PreToolUse', () => {}, { name: 'no-write' }), { code: 'bad config' });
  assert.equal(off(), true);
  assert.equal(off(), false);
  assert.equal((await engine.fire({ ...push, tool_name: 'Write' })).verdict, 'pass');
});

test('500 events at once', async (t) => {
  const engine = await open(t);
  let calls = 0;
  engine.on('PreToolUse', async () => { ++calls; return { verdict: 'deny' }; });
  const decisions = await Promise.all(Array.from({ length: 500 }, () => engine.fire(push)));
  assert.ok(decisions.every((decision) => decision.denied));
  assert.equal(calls, 500);
});

test('an event is given up', async (t) => {
  const engine = await open(t, { configs: [{ dialect: 'claude', object: { hooks: { PreToolUse: [{ hooks: [
    { type: 'command', command: 'sleep 3600', timeout: 3600 }] }] } } }] });
  const controller = new AbortController();
  const firing = engine.fire(push, { signal: controller.signal });
  controller.abort();
  await assert.rejects(firing, { name: 'AbortError' });
  await assert.rejects(engine.fire(push, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('an event is cancelled by closing, whether its callback has been asked yet or not', async () => {
  for (let i = 0; i < 300; ++i) {
    const engine = await Engine.open({ useHookFiles: false });
    engine.on('PreToolUse', () => new Promise(() => {}));
    const firing = engine.fire(push);
    await engine.close();
    assert.equal((await firing).origin, 'engine', `engine ${i}`);
  }
});

test('closed while events are fired', async () => {
  const engine = await Engine.open({ useHookFiles: false });
  engine.on('PreToolUse', () => new Promise(() => {}));
  const firing = engine.fire(push);
  await engine.close();
  assert.equal((await firing).origin, 'engine');
  await engine.close();
  await assert.rejects(engine.fire(push), (error) => error instanceof GrapnelError && error.code === 'closed');
  assert.throws(() => engine.hooks(), { code: 'closed' });
  assert.equal(engine.enabled, false);
});

test('mistakes are told', async (t) => {
  await assert.rejects(Engine.open({ projectDri: '.' }), { code: 'bad input', message: /did you mean 'project_dir'/ });
  const engine = await open(t);
  await assert.rejects(engine.fire({ event: 'PreTolUse' }), { code: 'bad input' });
  await assert.rejects(engine.fire('{'), { code: 'bad input', message: /not JSON/ });
  assert.throws(() => engine.on('Nothing', () => {}), { message: /is not an event/ });
  assert.throws(() => engine.on('Stop', 'no function'), TypeError);
  engine.on('Stop', () => {});
  assert.throws(() => engine.fireSync({ event: 'Stop' }), { code: 'refused', message: /use fire/ });
});

test('events of agents', async (t) => {
  const engine = await open(t);
  engine.on('PreToolUse', (event) => ({ verdict: 'deny', reason: `${event.tool_name} ${event.tool_input.command}` }));
  const gemini = { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command: 'ls' } };
  assert.equal((await engine.fire(gemini, { dialect: 'gemini' })).reason, 'Bash ls');
  assert.equal((await engine.fire(JSON.stringify(gemini), { dialect: 'gemini' })).reason, 'Bash ls');
});

test('rule files, explain, reload, switches, journal', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'grapnel-node-'));
  const path = join(directory, 'rules.yaml');
  const rule = (name) => `version: 1\nhooks:\n  - name: ${name}\n    on: PreToolUse\n    when: {command: 'git push*'}\n    deny: Not now.\n`;
  writeFileSync(path, rule('one'));
  const engine = await open(t, { projectDir: directory, configs: [{ path }], reloadIntervalMs: -1, journal: join(directory, 'journal') });
  assert.deepEqual(engine.problems(), []);
  assert.equal((await engine.fire(push)).reason, 'Not now.');
  assert.ok(existsSync(join(directory, 'journal', 'records.jsonl')));
  assert.equal(engine.explain(push)[0].runs, true);
  writeFileSync(path, rule('two'));
  assert.equal(engine.hooks()[0].name, 'one');
  engine.reload();
  assert.equal(engine.hooks()[0].name, 'two');
  engine.setEnabled(false, 'two');
  assert.equal((await engine.fire(push)).verdict, 'pass');
  engine.setEnabled(true, 'two');
  engine.setEnabled(false);
  assert.equal((await engine.fire(push)).origin, 'engine');
  assert.equal(engine.enabled, false);
  engine.journal(false);
});

test('the access of tools', () => {
  assert.deepEqual(['Read', 'Edit', 'Bash', 'mcp__a__b'].map((tool) => toolAccess(tool)), ['readonly', 'write', 'execute', 'mcp']);
});

test('an engine in a worker thread, which ends while an event waits', async () => {
  const worker = new Worker(`
    const { Engine } = require('grapnel');
    const engine = Engine.openSync({ useHookFiles: false });
    engine.on('Stop', () => { require('node:worker_threads').parentPort.postMessage('asked'); return new Promise(() => {}); });
    engine.fire({ event: 'Stop' });`, { eval: true, execArgv: flags });
  await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
});

test('a process ends by itself, with an open engine and events behind it', () => {
  const code = `const { Engine } = require('grapnel');
    Engine.open({ useHookFiles: false }).then(async (engine) => {
      engine.on('Stop', async () => ({ context: 'x' }));
      console.log((await engine.fire({ event: 'Stop' })).contextText);
    });`;
  assert.equal(execFileSync('node', [...flags, '-e', code], { encoding: 'utf8', timeout: 60_000 }), 'x\n');
});

test('a process ends while a callback never answers', () => {
  const code = `const { Engine } = require('grapnel');
    const engine = Engine.openSync({ useHookFiles: false });
    engine.on('Stop', () => { process.exit(3); });
    engine.fire({ event: 'Stop' });`;
  assert.throws(() => execFileSync('node', [...flags, '-e', code], { timeout: 60_000 }), { status: 3 });
});
