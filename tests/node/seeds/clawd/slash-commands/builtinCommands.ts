// src/slash-commands/builtinCommands.ts

import type { SlashCommand, SlashCommandResult } from '../given.js';

export const hooksCommand: SlashCommand = {
  name: 'hooks',
  description: '查看和管理 Hooks',
  category: 'hooks',
  usage: '/hooks [status|list]',

  async handler(args: string): Promise<SlashCommandResult> {
    const { getHookManager } = await import('../hooks/index.js');
    const manager = getHookManager();

    if (args === 'status' || args === '') {
      const counts = manager.getHookCounts();
      // 显示状态和统计
      return counts;
    }

    if (args === 'list') {
      const config = manager.getConfig();
      // 列出所有配置
      return config;
    }
    return undefined;
  },
};
