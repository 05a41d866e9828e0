// src/tools/execution/stages/PostHookStage.ts

import type { PipelineStage, ToolExecution } from '../../../given.js';
import { onPostToolUse, onPostToolUseFailure } from '../../../hooks/index.js';

export class PostHookStage implements PipelineStage {
  readonly name = 'postHook';

  async process(execution: ToolExecution): Promise<void> {
    const result = execution.getResult();
    const tool = execution._internal.tool;
    if (!result || !tool) return;

    const toolUseId = execution._internal.hookToolUseId || `tool_post_${Date.now()}`;

    if (result.success) {
      // 通过 HookService 调用 PostToolUse
      const hookResult = await onPostToolUse(
        tool.name, toolUseId, execution.params, result,
        execution.context.sessionId, execution.context.workspaceRoot
      );

      if (hookResult.additionalContext) {
        result.llmContent += `\n\n[Hook Context]\n${hookResult.additionalContext}`;
      }
      if (hookResult.modifiedOutput !== undefined) {
        result.llmContent = String(hookResult.modifiedOutput);
      }
    } else {
      // 通过 HookService 调用 PostToolUseFailure
      await onPostToolUseFailure(
        tool.name, toolUseId, execution.params,
        result.error?.message || 'Unknown error',
        execution.context.sessionId, execution.context.workspaceRoot
      );
    }
  }
}
