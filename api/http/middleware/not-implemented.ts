import type { Middleware } from 'koa';
import { HttpProblem } from '../problems/http-problem.js';

/** Paths of the interface specification, below the API's prefix, that this version does not serve. */
export const notImplementedPaths: readonly RegExp[] = [
  /^\/w\/[^/]+\/(?:folders|files|recordings|sharing)(?:\/|$)/,
  /^\/w\/[^/]+\/chats\/export$/,
  /^\/w\/[^/]+\/chats\/outbound-call-handler\//,
  /^\/w\/[^/]+\/chats\/[^/]+\/(?:participants|summarize|outbound-call|phone-calls)$/,
  /^\/w\/[^/]+\/chats\/[^/]+\/messages\/[^/]+\/rate$/,
  /^\/w\/[^/]+\/chats\/[^/]+\/tool-calls\/[^/]+\/messages$/,
  /^\/account\/acquisition$/,
  /^\/(?:s|o|resources|oauth)\//,
  /^\/mcp$/,
];

/**
 * Answers `not_implemented` for operations that are specified but not yet served, so that clients can tell them from
 * wrong paths.
 */
export function notImplemented(prefix: string): Middleware {
  return (ctx, next) => {
    const path = ctx.path.startsWith(prefix) ? ctx.path.slice(prefix.length) : '';
    if (notImplementedPaths.some((pattern) => pattern.test(path))) {
      throw new HttpProblem(404, 'not_implemented', 'This version does not have this operation yet.');
    }
    return next();
  };
}
