// The document's types and its AgentRunner. Of the runner, the document leaves out the loop; here it has one turn.
import type { StopHookContext as OurContext, StopHook as OurHook, HookResult as OurResult, ToolCallRecord as OurRecord,
  AgentRunnerOptions as OurOptions, Message } from 'grapnel/synapse';
import { mutual } from '../same.js';

interface StopHookContext {
  /** 会话 ID */
  sessionId: string | null
  /** 当前工作目录 */
  cwd: string
  /** 完整的消息历史 */
  messages: readonly Message[]
  /** 最终的响应文本 */
  finalResponse: string
  /** 本次响应中的工具调用记录 */
  toolCalls: ToolCallRecord[]
  /** Agent 是否因达到最大迭代次数而停止 */
  reachedMaxIterations: boolean
}

interface ToolCallRecord {
  toolName: string
  input: unknown
  output: unknown
  success: boolean
}

interface HookResult {
  /** 可选的日志消息 */
  message?: string
  /** 可选的附加数据 */
  data?: Record<string, unknown>
}

type StopHook = (context: StopHookContext) => HookResult | Promise<HookResult> | void | Promise<void>

interface AgentRunnerOptions {
  // ... 现有选项
  answer: string
  interrupted?: boolean

  /** Stop 钩子列表，执行顺序为 LIFO */
  stopHooks?: StopHook[]
}

export class AgentRunner {
  private stopHooks: StopHook[]
  private options: AgentRunnerOptions

  constructor(options: AgentRunnerOptions) {
    this.options = options
    this.stopHooks = options.stopHooks ?? []
  }

  async run(userMessage: string): Promise<string> {
    // ... Agent Loop 逻辑
    const finalResponse = this.options.answer
    const wasInterrupted = this.options.interrupted ?? false
    const context: StopHookContext = {
      sessionId: null, cwd: process.cwd(), messages: [{ role: 'user', content: userMessage }, { role: 'assistant', content: finalResponse }],
      finalResponse, toolCalls: [], reachedMaxIterations: false
    }

    // 正常完成时（非用户中断），执行 Stop 钩子
    if (!wasInterrupted) {
      await this.executeStopHooks(context)
    }

    return finalResponse
  }

  private async executeStopHooks(context: StopHookContext): Promise<void> {
    // 空列表静默跳过
    if (this.stopHooks.length === 0) {
      return
    }

    // LIFO 顺序：从后向前执行
    for (let i = this.stopHooks.length - 1; i >= 0; i--) {
      try {
        const result = await this.stopHooks[i]!(context)
        if (result?.message) {
          console.log(`[StopHook] ${result.message}`)
        }
      } catch (error) {
        console.error(`Stop hook execution failed: ${error}`)
        // 继续执行下一个钩子
      }
    }
  }
}

mutual<StopHookContext, OurContext>();
mutual<ToolCallRecord, OurRecord>();
mutual<HookResult, OurResult>();
mutual<StopHook, OurHook>();
mutual<Pick<AgentRunnerOptions, 'stopHooks'>, Pick<OurOptions, 'stopHooks'>>();
