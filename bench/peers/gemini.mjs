// The hook engine of @google/gemini-cli-core, from the call of its event handler to the aggregated answer.
//
//   node gemini.mjs PACKAGE_DIRECTORY NATIVE_HOOK [MEMORY_HOOKS]
//
// Gemini's Config is far larger than the part that hooks use; the object here has only that part.
import { readFileSync } from 'node:fs';
import { answerLines, print, rateOf, sourceText } from './lines.mjs';

const [packageDirectory, nativeHook, memoryHooks] = process.argv.slice(2);
const { HookSystem } = await import(`${packageDirectory}/dist/src/hooks/index.js`);

async function handlerOf(hooks) {
  const nothing = () => undefined, no = () => false, none = () => [];
  const config = {
    getHooks: () => ({ BeforeTool: hooks }),
    getProjectHooks: nothing,
    getDisabledHooks: none,
    getExtensions: none,
    isTrustedFolder: () => true,
    getProjectRoot: () => '/tmp',
    getWorkingDir: () => '/tmp',
    getSessionId: () => '8d3c0e6a-session',
    getUsageStatisticsEnabled: no,
    getTelemetryEnabled: no,
    getTelemetryLogPromptsEnabled: no,
    storage: { getPlansDir: () => '/tmp/plans' },
    sanitizationConfig: {
      enableEnvironmentVariableRedaction: false, allowedEnvironmentVariables: [], blockedEnvironmentVariables: [],
    },
  };
  config.config = config;
  const system = new HookSystem(config);
  await system.initialize();
  return system.getEventHandler();
}

const hook = (matcher, command) => ({ matcher, hooks: [{ type: 'command', command }] });
const wanted = (command) => hook('Bash|run_shell_command', command);
const bystanders = (count) => Array.from({ length: count }, (_, i) => hook(`mcp__srv${i}__.*`, `exit 0 #${i}`));
const ten = (command, mark) => Array.from({ length: 10 }, (_, i) => wanted(`${command}${mark}${i}`));

const fire = async (handler, input) => {
  const result = await handler.fireBeforeToolEvent('run_shell_command', input);
  if (!result.success) throw new Error(String(result.errors));
};
const firing = (hooks, bytes = 1000, batch = 1) => ({
  batch,
  prepare: async () => {
    const handler = await handlerOf(hooks());
    const input = { command: sourceText(bytes - 250) };
    return () => fire(handler, input);
  },
});
const megabyte = 1000000;

if (memoryHooks) {
  await fire(await handlerOf([...bystanders(Number(memoryHooks) - 1), wanted('exit 0')]), { command: sourceText(750) });
  print(`${/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]}\n`);
  process.exit(0);
}

const mixed = await handlerOf([wanted('exit 0')]);
const native = await handlerOf([wanted(nativeHook)]);
let turn = 0;
await answerLines({
  'none-10': firing(() => bystanders(10), 1000, 100),
  'none-1000': firing(() => bystanders(1000)),
  'none-10000': firing(() => bystanders(10000)),
  'bash': firing(() => [wanted('exit 0')]),
  'native': firing(() => [wanted(nativeHook)]),
  'ten-bash': firing(() => ten('exit 0', ' #')),
  'ten-native': firing(() => ten(nativeHook, ' ')),
  'registered-10000': firing(() => [...bystanders(9999), wanted('exit 0')]),
  'megabyte-bash': firing(() => [wanted('cat >/dev/null')], megabyte),
  'megabyte-ten-bash': firing(() => ten('cat >/dev/null', ' #'), megabyte),
}, {
  load: async (threads, milliseconds) => JSON.stringify({
    rate: await rateOf(() => fire(turn++ % 2 ? mixed : native, { command: sourceText(750) }), Number(threads),
      Number(milliseconds)),
  }),
});
