// src/agent/Agent.ts

import { onStop } from '../hooks/index.js';

interface TurnResult {
  content: string;
  toolCalls?: unknown[];
}

/** The loop around the document's lines. `turns` plays the model. */
export async function executeLoop(turns: TurnResult[], context: { sessionId?: string }, onContinue: () => void) {
  const messages: { role: string; content: string }[] = [];
  const agentDebug = { log: (line: string) => { console.log(line); onContinue(); } };
  for (const turnResult of turns) {
    // 在 executeLoop 中，当无工具调用时：
    if (!turnResult.toolCalls || turnResult.toolCalls.length === 0) {
      // ... 意图未完成检测 ...

      // 执行 Stop Hook - 允许 Hook 强制继续执行
      const shouldContinue = await onStop(
        'end_turn',
        context.sessionId || 'unknown',
        process.cwd()
      );

      if (shouldContinue) {
        agentDebug.log('Stop hook requested to continue');
        messages.push({
          role: 'user',
          content: '[System] Hook requested continuation. Please continue.',
        });
        continue;  // 继续循环
      }

      return { success: true, finalMessage: turnResult.content, messages };
    }
  }
  return { success: false, messages };
}
