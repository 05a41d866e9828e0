// Tries the schema of rule files in the real yaml-language-server, as an editor would: run.mjs GRAPNEL SERVER
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server } from './server.mjs';

const [grapnel, program] = process.argv.slice(2).map((path) => resolve(path));
const source = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const project = mkdtempSync(join(tmpdir(), 'grapnel-editors-'));
const modeline = '# yaml-language-server: $schema=grapnel.schema.json\n';
mkdirSync(join(project, '.agents'));
writeFileSync(join(project, '.agents/grapnel.schema.json'), execFileSync(grapnel, ['schema', 'grapnel']));

const server = new Server(program);
await server.start(project);
let files = 0;
let failures = 0;

function expect(holds, note, actual) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${note}`);
  if (holds) return;
  failures += 1;
  console.log(`     found: ${JSON.stringify(actual)?.slice(0, 600)}`);
}

// Opens a file with rules. `▮` is where the cursor is.
async function open(text) {
  const path = join(project, `.agents/file${++files}.yaml`);
  const whole = modeline + text;
  const before = whole.split('▮')[0];
  const position = { line: before.split('\n').length - 1, character: before.length - before.lastIndexOf('\n') - 1 };
  writeFileSync(path, whole.replace('▮', ''));
  const said = await server.open(path, whole.replace('▮', ''));
  return { path, position, said };
}

async function labels(text) {
  const { path, position } = await open(text);
  const list = await server.at('textDocument/completion', path, position);
  return (list?.items ?? list ?? []).map((item) => item.label);
}

async function hover(text) {
  const { path, position } = await open(text);
  const found = await server.at('textDocument/hover', path, position);
  return found?.contents?.value ?? '';
}

const rule = 'version: 1\nhooks:\n  - name: a\n';

for (const [note, text, wanted] of [
  ['events are offered', `${rule}    on: ▮\n`, ['PreToolUse', 'Stop', 'BeforeTool']],
  ['events are offered in a list', `${rule}    on:\n      - ▮\n`, ['PreToolUse', 'UserPromptSubmit']],
  ['tools are offered', `${rule}    on: Stop\n    when:\n      tool: ▮\n`, ['shell', 'edit', 'Bash', 'run_shell_command']],
  ['effects are offered', `${rule}    on: Stop\n    when:\n      effect: ▮\n`, ['readonly', 'destructive']],
  ['conditions are offered', `${rule}    on: Stop\n    when:\n      ▮\n`, ['tool', 'command', 'path', 'not']],
  ['keys of a hook are offered', `${rule}    on: Stop\n    ▮\n`, ['when', 'deny', 'run', 'timeout']],
  ['rules are offered as snippets', 'version: 1\nhooks:\n  - ▮\n', ['deny a command', 'gate']],
]) {
  const found = await labels(text);
  expect(wanted.every((label) => found.some((one) => one.includes(label))), note, found);
}

for (const [note, text, wanted] of [
  ['a key says what it means', `${rule}    on: Stop\n    de▮ny: x\n`, 'The call is refused'],
  ['and shows an example', `${rule}    on: Stop\n    de▮ny: x\n`, 'deny: Force pushes need a human.'],
  ['so do conditions', `${rule}    on: PreToolUse\n    when:\n      pa▮th: x\n    deny: x\n`, 'a pattern without a slash'],
  ['also inside of others', `${rule}    on: PreToolUse\n    when: { not: { com▮mand: x } }\n    deny: x\n`, 'Options belong in'],
  ['and keys of actions', `${rule}    on: Stop\n    http: { url: 'https://x', ret▮ries: 2 }\n`, 'How often a failed request'],
]) {
  const found = await hover(text);
  expect(found.includes(wanted), note, found);
}

for (const [note, text, line, wanted] of [
  ['a typo in a key', `${rule}    on: Stop\n    tiemout: 3s\n    run: x\n`, 5, /tiemout/],
  ['a typo in a condition', `${rule}    on: Stop\n    when: { efect: readonly }\n    run: x\n`, 5, /efect/],
  ['a typo in an event', `${rule}    on: PreTolUse\n    run: x\n`, 4, /not accepted|Valid values/],
  ['a rule that does nothing', `${rule}    on: Stop\n`, 3, /Missing property|required/i],
]) {
  const { said } = await open(text);
  const found = said.filter((one) => wanted.test(one.message) && Math.abs(one.range.start.line - line) <= 1);
  expect(found.length > 0, `${note} is underlined`, said);
}

// No rule file of the tree is underlined.
function rule_files(directory) {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) return rule_files(path);
    return name === 'grapnel.yaml' || path.endsWith('frontmatter/rules.yaml') ? [path] : [];
  });
}
const all = ['examples', 'fuzz/corpus', 'tests/agents'].flatMap((directory) => rule_files(join(source, directory)));
expect(all.length > 1, 'there are rule files to try', all);
for (const path of all) {
  const { said } = await open(readFileSync(path, 'utf8'));
  expect(said.length === 0, `${path.slice(source.length + 1)} is fine`, said);
}

await server.stop();
rmSync(project, { recursive: true });
console.log(failures === 0 ? 'editors: everything works' : `editors: ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
