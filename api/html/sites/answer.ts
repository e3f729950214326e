import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { isKnown } from '../../http/pipeline/conditional.js';

/** A whole answer about a site, which can be given again as long as the site has the same version. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Browsers and proxies keep it, and ask before they use it: what is withdrawn is gone at once, and most answers are 304. */
export const revalidated = 'public, max-age=0, must-revalidate';

/** @param headers with `Content-Type`; `Cache-Control` unless the answer is kept and asked for again */
export function answerOf(body: string, headers: Record<string, string>, status = 200): Answer {
  const bytes = Buffer.from(body);
  if (status !== 200) return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body: bytes };
  const policy = headers['Content-Security-Policy'] ?? '';
  const tag = createHash('sha256').update(policy).update('\n').update(bytes).digest('base64url');
  return { status, headers: { 'Cache-Control': revalidated, ...headers, ETag: `"${tag}"` }, body: bytes };
}

/** @param isPrivate whether it is for the members of a workspace alone: nobody keeps it then */
export function send(ctx: Context, { status, headers, body }: Answer, isPrivate: boolean): void {
  ctx.set(headers);
  if (isPrivate) {
    ctx.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' });
    ctx.remove('ETag');
  } else if (headers.ETag !== undefined && isKnown(ctx.headers['if-none-match'] ?? '', headers.ETag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  ctx.body = body;
}

/** Sends the visitor elsewhere. */
export function redirect(ctx: Context, status: 301 | 302, to: string): void {
  ctx.status = status;
  ctx.set({ Location: to, 'Cache-Control': 'no-store' });
  ctx.body = '';
}
