import type { Context, Middleware } from 'koa';
import {
  deviceCookie,
  noOrganizationCookie,
  noSessionCookie,
  organizationCookie,
  sessionCookie,
  signOnCookie,
} from '../../auth/session-cookie.js';
import { HttpProblem } from '../problem.js';
import type { ParseBody } from '../read-body.js';
import type { BrowserSession } from '../route.js';
import { removingSpool, uploadedFile } from '../uploads/uploaded-file.js';
import { authentication, limit } from './authenticate.js';
import { callerOf } from './caller.js';
import type { Endpoint } from './endpoint.js';
import { performRequest } from './perform-request.js';
import { preparePrefetch } from './prefetch.js';
import type { Receive } from './receive.js';
import { recordDenied } from './record-denied.js';
import type { Respond } from './respond.js';

/** An endpoint that is served over HTTP. */
export interface HttpEndpoint extends Endpoint {
  readonly receive: Receive;
  readonly respond: Respond;
}

/**
 * Builds the middleware for a route: the steps of each request, in their order. Prefetched queries are sent with
 * authentication, and quotas are counted before a body is read, except the form of the carrier, which its signature covers.
 */
export function serveRoute(endpoint: HttpEndpoint): Middleware {
  const { route, respond } = endpoint;

  const serve = async (ctx: Context) => {
    ctx.state.route = route;
    if (ctx.state.publicPath !== undefined && route.access.kind !== 'carrier') throw nothingHere();
    const receive = receivingOnce(endpoint, ctx);
    const prefetch = preparePrefetch(endpoint, { params: ctx.params, query: ctx.query }, ctx);
    const authenticate = authentication(endpoint, ctx, { receive, prefetch });
    const granted = await limit(endpoint, ctx, authenticate);
    const caller = callerOf(granted);
    ctx.state.caller = caller;
    const request = {
      granted,
      caller,
      params: ctx.params,
      query: ctx.query,
      headers: ctx.headers,
      prefetch,
      receive,
      file: () => uploadedFile(ctx),
      session: browserSession(ctx),
      turns: ctx,
    };
    await performRequest(endpoint, request, (valid) => respond(endpoint, { ...valid, ctx, authenticate }));
  };
  const noted = async (ctx: Context) => {
    try {
      await serve(ctx);
    } catch (error) {
      recordDenied(endpoint, ctx.state.identified, error);
      throw error;
    }
  };
  return route.file === undefined ? noted : removingSpool(noted);
}

/** Receives the body once, however often it is called: authentication may need a form first. */
function receivingOnce({ receive }: HttpEndpoint, ctx: Context): () => Promise<ParseBody> {
  let receiving: Promise<ParseBody> | undefined;
  return () => {
    receiving ??= receive(ctx);
    return receiving;
  };
}

function browserSession(ctx: Context): BrowserSession {
  return {
    hold: (token, seconds) => ctx.append('Set-Cookie', sessionCookie(token, seconds)),
    remember: (deviceToken, seconds) => ctx.append('Set-Cookie', deviceCookie(deviceToken, seconds)),
    keepFlow: (sealed, seconds) => ctx.append('Set-Cookie', signOnCookie(sealed, seconds)),
    dropFlow: () => ctx.append('Set-Cookie', signOnCookie('', 0)),
    join: (token, seconds) => ctx.append('Set-Cookie', organizationCookie(token, seconds)),
    drop: () => {
      ctx.append('Set-Cookie', noSessionCookie());
      ctx.append('Set-Cookie', noOrganizationCookie());
    },
  };
}

/** Below a public path there is nothing but what the carrier calls. */
function nothingHere(): HttpProblem {
  return new HttpProblem(404, 'not_found', 'There is nothing at this address.');
}
