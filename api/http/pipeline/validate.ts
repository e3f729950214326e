import type { Context } from 'koa';
import { deviceCookie, noSessionCookie, sessionCookie } from '../../auth/session-cookie.js';
import type { BrowserSession, HandlerInput } from '../define-route.js';
import { uploadedFile } from '../uploads/spool.js';
import type { Endpoint } from './endpoint.js';
import type { Prefetch } from './prefetch.js';

interface ReceivedRequest {
  context: unknown;
  params: unknown;
  /** The parsed body. */
  sent: unknown;
  prefetch: Prefetch | undefined;
}

/** Validates query and body, and collects what the handler receives. */
export async function validate(
  { route, server: { services }, validation }: Endpoint,
  ctx: Context,
  { context, params, sent, prefetch }: ReceivedRequest,
): Promise<HandlerInput> {
  const query = prefetch?.query ?? validation.query(ctx.query);
  const body = validation.body(sent);
  return {
    context,
    services,
    params,
    query,
    body,
    file: uploadedFile(ctx),
    signal: undefined,
    prefetched: await prefetch?.prefetched(),
    prepared: await route.prepare?.({ body, services }),
    lastEventId: ctx.get('Last-Event-ID') || undefined,
    session: browserSession(ctx),
  };
}

/** Sets the cookies of the caller's browser. */
function browserSession(ctx: Context): BrowserSession {
  return {
    hold: (token, seconds) => ctx.append('Set-Cookie', sessionCookie(token, seconds)),
    remember: (deviceToken, seconds) => ctx.append('Set-Cookie', deviceCookie(deviceToken, seconds)),
    drop: () => ctx.append('Set-Cookie', noSessionCookie()),
  };
}
