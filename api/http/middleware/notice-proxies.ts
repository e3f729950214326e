import type { Middleware } from 'koa';
import type { Logger } from '../../../runtime/logger.js';

const noticeEveryMs = 600_000;

/**
 * Logs at intervals that requests come through a proxy although none is trusted: all callers behind it then share the
 * quota of the proxy's address.
 */
export function noticeProxies(logger: Logger): Middleware {
  let noticedAt = Number.NEGATIVE_INFINITY;
  return async (ctx, next) => {
    if (ctx.headers['x-forwarded-for'] !== undefined && Date.now() - noticedAt >= noticeEveryMs) {
      noticedAt = Date.now();
      logger.error(
        { setting: 'TRUST_PROXY' },
        'X-Forwarded-For comes but TRUST_PROXY is 0: all callers behind that proxy are counted as one address',
      );
    }
    await next();
  };
}
