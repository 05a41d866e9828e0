import type { Answer, HookEvent } from './index.js';

/** Answers the events that Grapnel sends on standard input, one line each, until it is closed. */
export declare function serve(
  judge: (event: HookEvent) => Answer | null | undefined | void | Promise<Answer | null | undefined | void>,
): void;
