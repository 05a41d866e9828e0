// What must compile, and what must not. It is never run.
import { Engine, GrapnelError, type Decision, type Verdict } from 'grapnel';
import { createSession } from 'grapnel/blade';
import { serve } from 'grapnel/worker';

export async function right(signal: AbortSignal): Promise<Verdict> {
  const engine = await Engine.open({ projectDir: '.', limits: { maxOutput: 1 }, journal: '/tmp/x' });
  const off: () => boolean = engine.on('PreToolUse', async (event, cancelled) => {
    if (cancelled.aborted) return;
    return { verdict: 'deny', reason: String(event.tool_input?.command) };
  }, { tools: 'Bash', onFailure: 'closed' });
  engine.on(['Stop', 'someEventOfAnAgent'], () => null, { dialect: 'claude' });
  const decision: Decision = await engine.fire({ event: 'Stop', session_id: '1' }, { signal, dialect: 'claude' });
  const changed: { command: string } = decision.inputFor({ command: 'ls' });
  if (decision.denied && off()) throw new GrapnelError('closed: ' + changed.command);
  const session = await createSession({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] } });
  const result = await session.runTool('Bash', { command: 'ls' }, (input) => String(input.command).length);
  const output: number | undefined = result.ran ? result.output : undefined;
  serve(async (event) => ({ context: event.session_id ?? String(output) }));
  return decision.verdict;
}

export async function wrong(): Promise<void> {
  // @ts-expect-error: options are spelled as JavaScript spells them
  await Engine.open({ project_dir: '.' });
  // @ts-expect-error: an engine is opened, not constructed
  new Engine(1);
  const engine = await Engine.open();
  // @ts-expect-error: no such verdict
  engine.on('Stop', () => ({ verdict: 'refuse' }));
  // @ts-expect-error: no such policy
  engine.on('Stop', () => undefined, { onFailure: 'deny' });
  // @ts-expect-error: either a path or an object
  await Engine.open({ configs: [{ path: 'a', object: {} }] });
  // @ts-expect-error: Blade has no such event
  await createSession({ hooks: { BeforeModel: [] } });
  // @ts-expect-error: no such behaviour
  await createSession({ canUseTool: async () => ({ behavior: 'maybe' }) });
}
