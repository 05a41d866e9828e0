// `grapnel agent` with the reference servers of MCP, and the official SDKs with `grapnel mcp`: run.mjs GRAPNEL PACKAGES
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [grapnel, packages] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const scope = join(packages, 'node_modules/@modelcontextprotocol');
const everything = join(scope, 'server-everything/dist/index.js');
const filesystem = join(scope, 'server-filesystem/dist/index.js');
const home = mkdtempSync(join(tmpdir(), 'grapnel-mcp-'));
const project = join(home, 'project');
mkdirSync(project);
const env = { HOME: home, PATH: process.env.PATH, LC_ALL: 'C.UTF-8', XDG_RUNTIME_DIR: join(home, 'run') };
let failures = 0;

function expect(holds, note, actual) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${note}`);
  if (holds) return;
  failures += 1;
  console.log(`     found: ${String(actual).slice(0, 1500)}`);
}

function put(name, text) {
  writeFileSync(join(project, name), typeof text === 'string' ? text : JSON.stringify(text));
  return name;
}

/// The command line that plays a conversation.
function wordsFor(servers, turns, { as = 'canonical', hooks, more = [] } = {}) {
  put('servers.json', { mcpServers: servers });
  put('session.replay', turns.map((turn) => JSON.stringify(turn)).join('\n'));
  const words = ['agent', 'go', '--replay', 'session.replay', '--approval', 'yolo', '--as', as,
    '--mcp-config', 'servers.json', '--strict-mcp-config', '--output', 'stream-json', ...more];
  if (hooks) words.push('--hooks', put(hooks.name, hooks.content));
  return words;
}

/// Plays a conversation: `turns` are the lines of the scripted model, whose `expect` makes the run fail.
function play(note, servers, turns, options) {
  const run = spawnSync(grapnel, wordsFor(servers, turns, options), { cwd: project, env, encoding: 'utf8', timeout: 300_000 });
  expect(run.status === 0, note, `${run.stdout}\n${run.stderr}`);
  return run.stdout;
}

/// The same while this process has something to do, too.
async function playBeside(note, servers, turns, options) {
  const run = spawn(grapnel, wordsFor(servers, turns, options), { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (bytes) => { said += bytes; });
  const status = await new Promise((done) => run.on('close', done));
  expect(status === 0, note, said);
}

const call = (name, input = {}, expectation) => ({ call: name, input, ...(expectation ? { expect: expectation } : {}) });
const end = (expectation) => ({ say: 'Done.', expect: expectation });

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/// Starts a server of HTTP and waits until it says that it listens.
async function serve(words, more) {
  const child = spawn(process.execPath, words, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise((done, failed) => {
    const look = (bytes) => /listening/i.test(String(bytes)) && done();
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => failed(new Error(`${words[0]} does not start`)));
  });
  return child;
}

const command = (path, ...args) => ({ command: process.execPath, args: [path, ...args] });

/// What every transport of the reference server has to do.
function everythingWorks(note, server) {
  const servers = { everything: server };
  play(`${note}: a call`, servers, [call('mcp__everything__echo', { message: 'hi' }), end('Echo: hi')]);
  play(`${note}: numbers`, servers, [call('mcp__everything__get-sum', { a: 2, b: 3 }), end('is 5')]);
  play(`${note}: structured data`, servers,
    [call('mcp__everything__get-structured-content', { location: 'New York' }), end('temperature')]);
  play(`${note}: a picture`, servers, [call('mcp__everything__get-tiny-image'), end('image/png, about')]);
  play(`${note}: input that does not fit`, servers, [call('mcp__everything__get-sum', { a: 'x', b: 3 }), end('/a must be number')]);
  play(`${note}: resources`, servers,
    [call('mcp__everything__list_resources'),
      call('mcp__everything__read_resource', { uri: 'demo://resource/static/document/features.md' }, '://'), end('Everything Server - Features')]);
  const shown = play(`${note}: progress`, servers,
    [call('mcp__everything__trigger-long-running-operation', { duration: 1, steps: 2 }), end('Long running operation completed')]);
  expect(shown.includes('tool_progress'), `${note}: progress is shown`, shown);
  play(`${note}: nobody answers its question`, servers,
    [call('mcp__everything__trigger-elicitation-request'), end('declin')]);
  const accept = JSON.stringify({ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept',
    content: { name: 'Grace', check: true, firstLine: 'It is a nice day.', email: 'g@example.org', integer: 7 } } });
  play(`${note}: a hook answers its question`, servers,
    [call('mcp__everything__trigger-elicitation-request'), end('Grace')],
    { as: 'claude', hooks: { name: 'hooks.json', content: { hooks: { Elicitation: [
      { matcher: 'everything', hooks: [{ type: 'command', command: `cat >/dev/null; printf '%s' '${accept}'` }] }] } } },
      more: ['--dialect', 'claude'] });
}

everythingWorks('server-everything over stdio', command(everything, 'stdio'));

const port = await freePort();
const http = await serve([everything, 'streamableHttp'], { PORT: String(port) });
everythingWorks('server-everything over HTTP', { type: 'http', url: `http://127.0.0.1:${port}/mcp` });

// A server that was started again does not know its sessions any more: the next call makes a new one.
const otherPort = await freePort();
const restarted = await serve([everything, 'streamableHttp'], { PORT: String(otherPort) });
let target = port;
const proxy = createProxy((asked, answer) => {
  const to = request({ port: target, path: asked.url, method: asked.method, headers: asked.headers }, (from) => {
    answer.writeHead(from.statusCode, from.headers);
    from.pipe(answer);
  });
  to.on('error', () => answer.destroy());
  const body = [];
  asked.on('data', (bytes) => body.push(bytes));
  asked.on('end', () => {
    to.end(Buffer.concat(body));
    if (String(Buffer.concat(body)).includes('tools/call')) target = otherPort;
  });
});
await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
await playBeside('server-everything is started again', { everything: { type: 'http', url: `http://127.0.0.1:${proxy.address().port}/mcp` } },
  [call('mcp__everything__echo', { message: 'one' }), call('mcp__everything__echo', { message: 'two' }, 'Echo: one'),
    call('mcp__everything__echo', { message: 'three' }, 'Echo: two'), end('Echo: three')]);
proxy.close();
proxy.closeAllConnections();
restarted.kill();
http.kill();

// The file server, guarded by hooks of three agents.
put('notes.txt', 'Buy milk.\n');
const files = { files: command(filesystem, project) };
play('server-filesystem: reads', files,
  [call('mcp__files__read_text_file', { path: join(project, 'notes.txt') }), end('Buy milk.')]);
play('a hook of Claude Code denies', files,
  [call('mcp__files__write_file', { path: join(project, 'x'), content: 'x' }), end('no writing')],
  { as: 'claude', more: ['--dialect', 'claude'], hooks: { name: 'hooks.json', content: { hooks: { PreToolUse: [
    { matcher: 'mcp__files__write.*', hooks: [{ type: 'command', command: "echo 'no writing' >&2; exit 2" }] }] } } } });
const other = JSON.stringify({ hookSpecificOutput: { tool_input: { path: join(project, 'notes.txt') } } });
play('a hook of Gemini CLI rewrites', files,
  [call('mcp_files_read_text_file', { path: '/etc/passwd' }), end('Buy milk.')],
  { as: 'gemini', more: ['--dialect', 'gemini'], hooks: { name: 'hooks.json', content: { hooks: { BeforeTool: [
    { matcher: 'mcp_files_.*', hooks: [{ type: 'command', command: `cat >/dev/null; printf '%s' '${other}'` }] }] } } } });
play('a rule about secrets holds for servers, too', files,
  [call('mcp__files__read_text_file', { path: join(project, '.env') }), end('Secrets stay')],
  { more: ['--dialect', 'grapnel'], hooks: { name: 'grapnel.yaml', content: `version: 1
hooks:
  - name: secrets
    on: PreToolUse
    when: { tool: mcp, path: '**/.env' }
    deny: Secrets stay here.
` } });
play('a hook of Codex observes', files,
  [call('mcp__files__list_directory', { path: project }), end('notes.txt')],
  { as: 'codex', more: ['--dialect', 'codex'], hooks: { name: 'hooks.json', content: { hooks: { PostToolUse: [
    { matcher: 'mcp__files__.*', hooks: [{ type: 'command', command: 'cat > seen.json' }] }] } } } });
const seen = JSON.parse(readFileSync(join(project, 'seen.json'), 'utf8'));
expect(seen.tool_name === 'mcp__files__list_directory', 'it has seen the call', JSON.stringify(seen));

// A server of the SDK for the version without a handshake.
const modern = command(join(here, 'modern_server.mjs'), packages);
play('the SDK\'s server without a handshake', { modern }, [call('mcp__modern__add', { a: 2, b: 3 }), end('5')]);

// The other direction.
put('rules.yaml', `version: 1
hooks:
  - name: no-force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f] }
    deny: Force pushes need a human.
`);
const load = (path) => import(pathToFileURL(join(scope, path)).href);
const parameters = { command: grapnel, args: ['mcp', '--config', 'rules.yaml'], cwd: project, env };
const check = { name: 'check_command', arguments: { command: 'cd x && git push --force' } };

async function askGrapnel(note, Client, Transport, options = {}) {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new Transport(parameters));
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).join() === 'check_command,explain,why', `${note}: lists the tools`, JSON.stringify(tools));
  const said = await client.callTool(check);
  expect(said.structuredContent?.verdict === 'deny', `${note}: a command is denied`, JSON.stringify(said));
  const explained = await client.callTool({ name: 'explain', arguments: { event: 'PreToolUse' } });
  expect(!explained.isError, `${note}: an event is explained`, JSON.stringify(explained));
  await client.close();
}

const v1 = await load('sdk/dist/esm/client/index.js');
const v1Stdio = await load('sdk/dist/esm/client/stdio.js');
await askGrapnel('the SDK 1 and grapnel mcp', v1.Client, v1Stdio.StdioClientTransport);
const v2 = await load('client/dist/index.mjs');
const v2Stdio = await load('client/dist/stdio.mjs');
await askGrapnel('the SDK 2 with a handshake and grapnel mcp', v2.Client, v2Stdio.StdioClientTransport);
await askGrapnel('the SDK 2 without a handshake and grapnel mcp', v2.Client, v2Stdio.StdioClientTransport,
  { versionNegotiation: { mode: { pin: '2026-07-28' } } });

rmSync(home, { recursive: true, force: true });
console.log(failures === 0 ? 'All of it works.' : `${failures} failures.`);
process.exit(failures === 0 ? 0 : 1);
