// src/tools/execution/stages/HookStage.ts

import { nanoid, type PipelineStage, type ToolExecution } from '../../../given.js';
import { onPreToolUse } from '../../../hooks/index.js';

export class HookStage implements PipelineStage {
  readonly name = 'hook';

  async process(execution: ToolExecution): Promise<void> {
    const tool = execution._internal.tool;
    if (!tool) return;

    const toolUseId = execution.context.messageId || `tool_${nanoid()}`;
    execution._internal.hookToolUseId = toolUseId;

    // 通过 HookService 调用
    const result = await onPreToolUse(
      tool.name,
      toolUseId,
      execution.params as Record<string, unknown>,
      execution.context.sessionId || 'unknown',
      execution.context.workspaceRoot || process.cwd(),
      execution.context.permissionMode
    );

    if (result.decision === 'deny') {
      execution.abort(result.reason || 'Hook blocked execution');
      return;
    }
    
    if (result.decision === 'ask') {
      execution._internal.needsConfirmation = true;
      return;
    }

    if (result.modifiedInput) {
      execution.params = { ...execution.params, ...result.modifiedInput };
    }
  }
}
