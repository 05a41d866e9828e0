// The examples that people copy, with a model that plays a script.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

// Plays the steps on loopback, in OpenAI's chat format: a step is a command or the final answer.
async function playing(steps, use) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { messages } = JSON.parse(body);
    requests.push(messages);
    const step = steps[messages.filter((message) => message.role === 'assistant').length] ?? { say: 'Done.' };
    const message = step.say ? { role: 'assistant', content: step.say } : { role: 'assistant', content: null,
      tool_calls: [{ id: `call-${requests.length}`, type: 'function', function: { name: 'Bash', arguments: JSON.stringify({ command: step.run }) } }] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'any',
      choices: [{ index: 0, message, finish_reason: step.say ? 'stop' : 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${server.address().port}/v1`, requests);
  } finally {
    server.close();
  }
}

const results = (requests) => requests.at(-1).filter((message) => message.role === 'tool').map((message) => message.content);

for (const [program, refusal] of [['agent', 'Refused: Force pushes need a human.']]) {
  test(`${program}.ts`, async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'agent-'));
    await playing([{ run: 'git push --force' }, { run: 'echo built' }, { say: 'Built.' }], async (url, requests) => {
      const { stdout } = await promisify(execFile)('node',
        ['--preserve-symlinks', '--preserve-symlinks-main', join(process.cwd(), `out/${program}.js`), url, 'Build it'], { cwd });
      assert.equal(stdout, 'Built.\n');
      assert.deepEqual(results(requests), [refusal, 'built\n']);
    });
  });
}

test('guarded_ai_sdk.ts: the tool loop of the real package `ai`, with a rule of the user', async () => {
  const { mkdirSync, writeFileSync } = await import('node:fs');
  const cwd = mkdtempSync(join(tmpdir(), 'agent-'));
  const config = mkdtempSync(join(tmpdir(), 'config-'));
  mkdirSync(join(config, 'agents'));
  writeFileSync(join(config, 'agents', 'grapnel.yaml'),
    'version: 1\nhooks:\n  - name: no-rm\n    on: PreToolUse\n    when: {command: "rm *"}\n    deny: Name the files.\n');
  await playing([{ run: 'rm -rf build' }, { run: 'echo built' }, { say: 'Built.' }], async (url, requests) => {
    const { stdout } = await promisify(execFile)('node',
      ['--preserve-symlinks', '--preserve-symlinks-main', join(process.cwd(), 'out/guarded_ai_sdk.js'), url, 'Build it'],
      { cwd, env: { ...process.env, XDG_CONFIG_HOME: config } });
    assert.equal(stdout, 'Built.\n');
    assert.deepEqual(results(requests), ['Refused: Name the files.', 'built\n']);
  });
});
