import type { Context } from 'koa';
import { Unauthenticated } from '../../../domain/lib/errors.js';
import { addressName } from '../address-name.js';
import { HttpProblem } from '../problem.js';
import { reportQuotas } from '../rate-limits/quota.js';
import { presentedCredential, type RateLimits } from '../rate-limits/rate-limits.js';
import type { ParseBody } from '../read-body.js';
import { requestSource } from '../request-source.js';
import type { Route } from '../route.js';
import { uploadedFile } from '../uploads/uploaded-file.js';
import { callerOf } from './caller.js';
import { beginCrossOrigin } from './cross-origin.js';
import type { Endpoint } from './endpoint.js';
import type { Prefetch } from './prefetch.js';

/** Authenticates the caller, and returns the context of the handler. An open event stream calls it again. */
export type Authenticate = () => Promise<unknown>;

/** Returns the function that authenticates the caller of a request, and sends the prefetch with it. */
export function authentication(
  { route, server: { context, services, ownOrigin, publicUrl, resource } }: Endpoint,
  ctx: Context,
  { receive, prefetch }: { receive: () => Promise<ParseBody>; prefetch: Prefetch | undefined },
): Authenticate {
  const admitOrigin = beginCrossOrigin(ctx, route, ownOrigin, context);
  return async () => {
    const source = requestSource(ctx);
    const granted = await route.access.grant({
      context,
      services,
      method: ctx.method,
      headers: ctx.headers,
      ownOrigin,
      resource,
      address: source.address,
      source,
      identified: (caller) => {
        ctx.state.identified = caller;
      },
      params: ctx.params,
      publicPath: ctx.state.publicPath,
      url: publicUrl + ctx.originalUrl,
      form: async () => (route.consumes === 'form' ? textFields((await receive())()) : {}),
      file: async () => {
        await receive();
        return uploadedFile(ctx);
      },
      prefetch: prefetch?.prefetch,
    });
    await admitOrigin?.(granted);
    return granted;
  };
}

/** A form in the shape that its signature covers: the last value of each field. */
function textFields(form: unknown): Record<string, string> {
  const fields = Object.entries(form as Record<string, unknown>);
  return Object.fromEntries(fields.map(([name, value]) => [name, String([value].flat().at(-1))]));
}

/** Whether requests to a route are counted. Health probes are not: a refused probe would end a healthy process. */
export function isLimited({ tag }: Pick<Route, 'tag'>): boolean {
  return tag !== 'Health';
}

/** Authenticates the caller within the quotas. Returns the context of the handler. */
export function limit({ route, server }: Endpoint, ctx: Context, authenticate: Authenticate) {
  if (!isLimited(route)) return authenticate();
  const { kind } = route.access;
  const within = kind === 'carrier' ? limitCarrier : kind === 'inbox' ? limitInbox : limitCaller;
  return within(ctx, server.rateLimits, authenticate);
}

/**
 * Tells what is left of the quotas in headers. Authenticated callers are counted by their credential, all others by
 * their address. @throws TooManyRequests, and the errors of `authenticate`
 */
export async function limitCaller(
  ctx: Context,
  limits: RateLimits,
  authenticate: Authenticate,
): Promise<unknown> {
  const address = addressName(ctx.ip);
  const { authorization } = ctx.headers;
  const chosen = authorization === undefined ? undefined : presentedCredential(address, authorization);
  if (chosen !== undefined) await limits.credentials.check(chosen);
  let context: unknown;
  try {
    context = await authenticate();
  } catch (error) {
    // Browsers send an invalid cookie by themselves, so this is not an attempt to guess a credential.
    if (error instanceof Unauthenticated && chosen !== undefined)
      await limits.credentials.recordRefused(chosen);
    else reportQuotas(ctx, await limits.takeAddress(address));
    throw error;
  }
  const caller = callerOf(context);
  if (chosen !== undefined && caller !== undefined) limits.credentials.recordGood(chosen);
  const taken = caller === undefined ? limits.takeAddress(address) : limits.takeCaller(caller);
  reportQuotas(ctx, await taken);
  return context;
}

/**
 * The carrier has no quota for requests with a valid signature. An address with too many wrong signatures is refused
 * before its request is read, unless it recently sent a valid one.
 */
async function limitCarrier(ctx: Context, limits: RateLimits, authenticate: Authenticate): Promise<unknown> {
  const address = addressName(ctx.ip);
  const sender = { name: address, address };
  await limits.signatures.check(sender);
  try {
    const context = await authenticate();
    limits.signatures.recordGood(sender);
    return context;
  } catch (error) {
    // The carrier calls for all workspaces from few addresses: one setting does not lock it out.
    const isUnsigned = error instanceof Unauthenticated && error.code === 'invalid_signature';
    if (isUnsigned) await limits.signatures.recordRefused(sender);
    throw error;
  }
}

/**
 * Those who hand in mail have a quota for each inbox. An address with too many wrong secrets or signatures, or bodies that
 * could not be received for their signature, is refused before its request is read, unless it recently sent a valid one for
 * the inbox: who has good mail for another says nothing about this one.
 */
async function limitInbox(ctx: Context, limits: RateLimits, authenticate: Authenticate): Promise<unknown> {
  const address = addressName(ctx.ip);
  const inboxUuid = String(ctx.params.inbox_uuid).toLowerCase();
  const sender = { name: `${address} ${inboxUuid}`, address };
  await limits.checkInbox(inboxUuid);
  ctx.state.isKnownMailServer = await limits.mails.check(sender);
  try {
    const context = await authenticate();
    limits.mails.recordGood(sender);
    await limits.takeInbox(inboxUuid);
    return context;
  } catch (error) {
    const isOfSender = error instanceof Unauthenticated || error instanceof HttpProblem;
    if (isOfSender) await limits.mails.recordRefused(sender);
    throw error;
  }
}
