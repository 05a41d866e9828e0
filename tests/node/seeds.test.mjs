// The documents' own snippets, compiled by TypeScript and run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
function run(snippet, ...args) {
  return execFileSync('node', [...flags, `out/seeds/${snippet}.js`, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('Synapse: stop hooks', () => {
  const lines = run('synapse').trim().split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    '[StopHook] Hook 3: Last registered, first executed',
    '[StopHook] Hook 2: Second registered, second executed',
    '[StopHook] Hook 1: First registered, last executed',
    'It is 3.',
  ]);
  assert.deepEqual(JSON.parse(lines[4]), {
    sessionId: 's-1', cwd: true, messages: 4, finalResponse: 'It is 3.',
    toolCalls: [{ toolName: 'Add', input: { a: 1, b: 2 }, output: 3, success: true }], reachedMaxIterations: false,
  });
  assert.equal(lines.length, 5);
});

test('ClawdCode: HookService and HookManager', () => {
  const project = mkdtempSync(join(tmpdir(), 'clawd-'));
  assert.deepEqual(run('clawd', project).trim().split('\n'), [
    'true PreToolUse 2',
    'no rm',
    '{"file_path":"a","safe":true}',
    'undefined',
    '"text\\n\\n[Hook Context]\\nlinted"',
    'the branch is main',
    'approve ask',
    'false',
    'true false',
    '2 7',
    '{"decision":"allow"}',
  ]);
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
  assert.deepEqual(run('blade', project).trim().split('\n'), [
    'Bash deny: name the files',
    'Bash ask: ',
    'Edit ran',
    'Read allow',
    'Bash allow',
    'Bash ask',
    'deny 禁止危险命令',
  ]);
});
