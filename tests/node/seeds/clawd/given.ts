// What the ClawdCode document takes for granted: the types around its hook stages, and its tools' ids.
export interface ToolResult {
  success: boolean;
  llmContent: string;
  error?: { message: string };
}
export interface ToolExecution {
  params: Record<string, unknown>;
  context: { sessionId: string; workspaceRoot?: string; messageId?: string; permissionMode?: string };
  _internal: { tool?: { name: string }; hookToolUseId?: string; needsConfirmation?: boolean };
  abort(reason: string): void;
  getResult(): ToolResult | undefined;
}
export interface PipelineStage {
  readonly name: string;
  process(execution: ToolExecution): Promise<void>;
}
export interface SlashCommand {
  name: string;
  description: string;
  category: string;
  usage: string;
  handler(args: string): Promise<SlashCommandResult>;
}
export type SlashCommandResult = object | undefined;

let made = 0;
export const nanoid = () => String(++made);
