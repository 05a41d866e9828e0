// The documents' own snippets, compiled by TypeScript and run. What a document leaves out is filled in beside its lines.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
/** The lines that a snippet prints in a directory. */
function lines(snippet, { cwd = process.cwd(), args = [] } = {}) {
  const said = execFileSync('node', [...flags, join(process.cwd(), `out/seeds/${snippet}.js`), ...args],
    { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return said.trim().split('\n');
}

test('Synapse: the usage example', () => {
  const said = lines('synapse/usage');
  assert.deepEqual(said.slice(0, 4), [
    '[StopHook] Hook 3: Last registered, first executed',
    '[StopHook] Hook 2: Second registered, second executed',
    '[StopHook] Hook 1: First registered, last executed',
    'It is 3.',
  ]);
  assert.deepEqual(JSON.parse(said[4]), {
    sessionId: 's-1', cwd: true, messages: 4, finalResponse: 'It is 3.',
    toolCalls: [{ toolName: 'Add', input: { a: 1, b: 2 }, output: 3, success: true }], reachedMaxIterations: false,
  });
  assert.equal(said.length, 5);
});

test("Synapse: the document's AgentRunner and that of the package do the same", () => {
  assert.deepEqual(lines('synapse/compared'), [
    'same 1 ["Done."]',
    'same 1 ["Done."]',
    'same 3 ["[StopHook] second","[StopHook] first","Done."]',
    'same 1 ["Done."]',
    'same 4 ["Stop hook execution failed: Error: broken later","Stop hook execution failed: Error: broken","[StopHook] below","Done."]',
    'same 1 ["Done."]',
    'same 2 ["[StopHook] null Done. 2 0 false","Done."]',
    'same 1 ["Done."]',
  ]);
});

test('ClawdCode: hook stages, loop, settings, /hooks and HookService', () => {
  const settings = join(process.cwd(), 'seeds/clawd/settings.json');
  assert.deepEqual(lines('clawd/service', { cwd: mkdtempSync(join(tmpdir(), 'clawd-')), args: [settings] }), [
    'true',
    'Bash no rm undefined tool_1 {"command":"rm a"}',
    'Bash undefined true tool_2 {"command":"mv a b"}',
    'Write undefined undefined tool_3 {"file_path":"a","safe":true}',
    'Bash undefined undefined tool_4 {"command":"ls"}',
    'Write "text\\n\\n[Hook Context]\\nlinted"',
    'Read "masked"',
    'Bash ""',
    'disk full',
    'the branch is main',
    '{"decision":"allow","modifiedInput":{"file_path":"b","safe":true}}',
    '{"additionalContext":"linted"}',
    'approve ask',
    'true false',
    'Stop hook requested to continue',
    '{"success":true,"finalMessage":"all","messages":[{"role":"user","content":"[System] Hook requested continuation. Please continue."}]}',
    '4 1 1 0',
    '11 undefined',
    '{"decision":"deny","reason":"no rm"}',
    '{"decision":"deny","reason":"no rm"}',
    '1',
    'started ended',
    'false {"decision":"allow"}',
  ]);
});

test("ClawdCode: the document's types, declarations and Matcher beside the package", () => {
  assert.deepEqual(lines('clawd/compared'), ['345 compared']);
});

test('Blade: createSession', () => {
  const project = mkdtempSync(join(tmpdir(), 'blade-'));
  mkdirSync(join(project, 'scripts'));
  const script = (name, text) => {
    writeFileSync(join(project, 'scripts', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(project, 'scripts', name), 0o755);
  };
  script('validate-bash.sh', 'if grep -q "rm -rf"; then echo "name the files" >&2; exit 2; fi');
  script('auto-approve-edits.sh', `echo '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "permissionDecision": "approve"}}'`);
  assert.deepEqual(lines('blade/sessions', { cwd: project }), [
    'Bash deny: name the files',
    'Bash ask: ',
    'Edit ran',
    'Read allow',
    'Bash allow',
    'Bash ask',
    'Bash deny 禁止危险命令',
    'Read allow undefined',
    'Bash ask undefined',
    '3 0',
  ]);
});
