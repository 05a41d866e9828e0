// The same work written by hand in Node: spawns the hook, writes the payload, collects the outputs and reads the answer.
//
//   node by_hand.mjs NATIVE_HOOK
import { spawn } from 'node:child_process';
import { answerLines, sourceText } from './lines.mjs';

const [nativeHook] = process.argv.slice(2);

function run([file, ...args], input) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (bytes) => { output += bytes; });
    child.stderr.on('data', () => {});
    child.stdin.on('error', () => {});  // it need not read
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output && JSON.parse(output)) : reject(new Error(`exit ${code}`))));
    child.stdin.end(input);
  });
}

const job = (argv, count = 1, bytes = 1000) => ({
  prepare: async () => {
    const event = { hook_event_name: 'BeforeTool', session_id: '8d3c0e6a-session', cwd: '/tmp',
      tool_name: 'run_shell_command', tool_input: { command: sourceText(bytes - 250) } };
    return () => {
      const input = JSON.stringify(event);
      return Promise.all(Array.from({ length: count }, () => run(argv, input)));
    };
  },
});
const bash = (command) => ['/bin/bash', '-c', command];

await answerLines({
  'bash': job(bash('exit 0')),
  'native': job([nativeHook]),
  'ten-bash': job(bash('exit 0'), 10),
  'ten-native': job([nativeHook], 10),
  'megabyte-bash': job(bash('cat >/dev/null'), 1, 1000000),
  'megabyte-ten-bash': job(bash('cat >/dev/null'), 10, 1000000),
});
