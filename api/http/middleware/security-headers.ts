import type { Middleware } from 'koa';

/** Sets headers that restrict what browsers do with an API's answers (OWASP REST cheat sheet). */
export function securityHeaders(options: { https: boolean }): Middleware {
  return async (ctx, next) => {
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    });
    if (options.https) ctx.set('Strict-Transport-Security', 'max-age=31536000');
    await next();
  };
}
