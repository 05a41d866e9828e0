// The snippets of the Blade document: `createSession` with hooks, and with `canUseTool` in both of its forms.
import { createSession } from 'grapnel/blade';

const engine = { useHookFiles: false };
{
  const session = await createSession({
    engine, projectDir: process.argv[2]!,
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
  const session = await createSession({
    engine,
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
    engine,
    canUseTool: async (toolName, input, options) => {
      if (options.toolKind === 'readonly') {
        return { behavior: 'allow' };
      }

      if (toolName === 'Bash' && input.command?.includes('rm -rf')) {
        return { behavior: 'deny', message: '禁止危险命令' };
      }

      return { behavior: 'ask' };
    }
  });
  const refused = await session.permit('Bash', { command: 'rm -rf build' });
  console.log(refused.behavior, refused.message);
  await session.close();
}
