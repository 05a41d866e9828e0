// The usage examples of HookService. Each has its lines of the document, and what it needs as parameters.
import { onCompaction, onPermissionRequest, onPostToolUse, onPreToolUse } from '../../hooks/index.js';

// ClawdInterface.tsx - 用户提交消息
export async function submit(value: string, sessionId: string) {
  const { onUserPromptSubmit } = await import('../../hooks/index.js');
  const injectedContext = await onUserPromptSubmit(value, sessionId, process.cwd());
  return injectedContext;
}

// HookStage.ts - 工具执行前
export async function before(tool: { name: string }, toolUseId: string, params: Record<string, unknown>, sessionId: string, projectDir: string) {
  const result = await onPreToolUse(tool.name, toolUseId, params, sessionId, projectDir);
  return result;
}

// PostHookStage.ts - 工具执行后
export async function after(tool: { name: string }, toolUseId: string, params: Record<string, unknown>, result: { success: boolean }, sessionId: string) {
  const hookResult = await onPostToolUse(tool.name, toolUseId, params, result, sessionId);
  return hookResult;
}

// PermissionStage.ts - 权限请求
export async function permit(toolName: string, execution: { params: Record<string, unknown> }, sessionId: string, projectDir: string) {
  return onPermissionRequest(toolName, execution.params, sessionId, projectDir);
}

// CompactionService.ts - 压缩前检查
export async function compact(preTokens: number, messages: unknown[], sessionId: string) {
  const shouldPrevent = await onCompaction(preTokens, messages.length, sessionId);
  return shouldPrevent;
}
