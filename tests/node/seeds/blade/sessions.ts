// The snippets of the Blade document as they stand, in the project that is the current directory: `createSession` with hooks,
// and with `canUseTool` in both of its forms. Between them, what the sessions do.
import { createSession } from '@blade-ai/agent-sdk';
import type { HandlerConfig } from 'grapnel/blade';

{
  const session = await createSession({
    hooks: {
      enabled: true,
      defaultTimeout: 60,
      timeoutBehavior: 'ignore',
      failureBehavior: 'ignore',

      // 工具执行类
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {
              type: 'command',
              command: './scripts/validate-bash.sh',
              timeout: 10
            }
          ]
        }
      ],

      // 权限控制
      PermissionRequest: [
        {
          matcher: 'Write|Edit',
          hooks: [
            {
              type: 'command',
              command: './scripts/auto-approve-edits.sh'
            }
          ]
        }
      ]
    }
  });

  const show = async (name: string, input: Record<string, unknown>) => {
    const result = await session.runTool(name, input, () => 'ran');
    console.log(name, result.ran ? result.output : `${result.behavior}: ${result.message ?? ''}`);
  };
  await show('Bash', { command: 'rm -rf /' });
  await show('Bash', { command: 'ls' });
  await show('Edit', { file_path: 'a', old_string: 'b', new_string: 'c' });
  await session.close('user_exit');
}
{
  // 使用 canUseTool 回调（推荐的简化 API）
  const session = await createSession({
    canUseTool: async (toolName, input, options) => {
      // 只读工具自动批准
      if (options.toolKind === 'readonly') {
        return { behavior: 'allow' };
      }

      // npm 命令自动批准
      if (toolName === 'Bash' && input.command?.startsWith('npm ')) {
        return { behavior: 'allow' };
      }

      // 其他情况询问用户
      return { behavior: 'ask' };
    }
  });

  for (const [name, input] of [['Read', { file_path: 'a' }], ['Bash', { command: 'npm test' }], ['Bash', { command: 'make' }]] as const) {
    console.log(name, (await session.permit(name, input)).behavior);
  }
  await session.close();
}
{
  const session = await createSession({
    canUseTool: async (toolName, input, options) => {
      // options 包含:
      // - toolKind: 'readonly' | 'write' | 'execute' | 'mcp'
      // - toolUseId: string
      // - abortSignal?: AbortSignal

      if (options.toolKind === 'readonly') {
        return { behavior: 'allow' };
      }

      if (toolName === 'Bash' && input.command?.includes('rm -rf')) {
        return { behavior: 'deny', message: '禁止危险命令' };
      }

      return { behavior: 'ask' };
    }
  });

  for (const [name, input] of [['Bash', { command: 'rm -rf build' }], ['Read', { file_path: 'a' }], ['Bash', { command: 'ls' }]] as const) {
    const permission = await session.permit(name, input);
    console.log(name, permission.behavior, permission.message);
  }
  await session.close();
}

// The kinds of handlers.
const handlers: HandlerConfig[] = [
  {
    type: 'command',
    command: './scripts/my-hook.sh',
    timeout: 30,
    statusMessage: '正在验证...'
  },
  {
    type: 'prompt',
    prompt: '检查以下命令是否安全: $ARGUMENTS',
    model: 'claude-sonnet-4-20250514',
    timeout: 30
  },
  {
    type: 'agent',
    prompt: '验证这个文件修改是否符合代码规范',
    timeout: 60
  },
];
{
  const session = await createSession({ hooks: { Notification: handlers.map((handler) => ({ hooks: [handler] })) } });
  console.log(session.engine.hooks().length, session.engine.problems().length);
  await session.close();
}
