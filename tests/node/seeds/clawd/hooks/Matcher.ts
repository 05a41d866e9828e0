import { minimatch } from 'minimatch';
import type { MatchContext, MatcherConfig } from './types.js';

// src/hooks/Matcher.ts

export class Matcher {
  matches(config: MatcherConfig | undefined, context: MatchContext): boolean {
    if (!config) return true;

    if (config.tools && context.toolName) {
      if (!this.matchesPattern(context.toolName, config.tools)) {
        return false;
      }
    }

    if (config.paths && context.filePath) {
      if (!minimatch(context.filePath, config.paths, { matchBase: true })) {
        return false;
      }
    }

    return true;
  }

  private matchesPattern(value: string, pattern: string): boolean {
    // 支持管道分隔: "Read|Write|Edit"
    const parts = pattern.split('|');
    for (const part of parts) {
      if (value === part.trim()) return true;
    }

    // 支持正则: "Bash\\(.*\\)"
    try {
      return new RegExp(`^(${pattern})$`).test(value);
    } catch {
      return value === pattern;
    }
  }
}
