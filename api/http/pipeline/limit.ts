import type { Context } from 'koa';
import { Unauthenticated } from '../../../domain/lib/errors.js';
import type { Route } from '../define-route.js';
import { addressName } from '../rate-limits/address-name.js';
import type { QuotaStatus } from '../rate-limits/quota.js';
import { checkQuotas, type RateLimits } from '../rate-limits/rate-limits.js';
import { callerOf } from './caller.js';

type Grant = () => Promise<unknown>;

/** Whether requests to a route are counted. Health probes are not: a refused probe would end a healthy process. */
export function isLimited({ tag }: Pick<Route, 'tag'>): boolean {
  return tag !== 'Health';
}

/** Returns the function that admits requests to a route. */
export function admissionOf(route: Pick<Route, 'access' | 'tag'>): typeof admit {
  if (!isLimited(route)) return async (_ctx, _limits, grant) => grant();
  return route.access.kind === 'carrier' ? admitCarrier : admit;
}

/**
 * Grants access within the quotas, and returns what is left of them in headers. Authenticated callers are counted by
 * their credential, all others by their address.
 *
 * @throws TooManyRequests, and the errors of `grant`
 */
async function admit(ctx: Context, limits: RateLimits, grant: Grant): Promise<unknown> {
  const address = addressName(ctx.ip);
  const tell = (standings: QuotaStatus[]) => {
    ctx.set({ ...limits.headersOf(standings) });
    checkQuotas(standings);
  };
  const chosen = ctx.headers.authorization;
  if (chosen !== undefined) await limits.checkRefusals(address, chosen);
  let context: unknown;
  try {
    context = await grant();
  } catch (error) {
    // Browsers send an invalid cookie by themselves, so this is not an attempt to guess a credential.
    if (error instanceof Unauthenticated && chosen !== undefined) await limits.noteRefusal(address, chosen);
    else tell(await limits.takeAddress(address));
    throw error;
  }
  const caller = callerOf(context);
  if (chosen !== undefined && caller !== undefined) limits.noteGood(chosen);
  tell(caller === undefined ? await limits.takeAddress(address) : await limits.takeCaller(caller));
  return context;
}

/**
 * Grants access to the carrier by its signature, without a quota for valid requests. An address with too many wrong
 * signatures is refused before its request is read, unless it recently sent a valid one.
 */
async function admitCarrier(ctx: Context, limits: RateLimits, grant: Grant): Promise<unknown> {
  const address = addressName(ctx.ip);
  await limits.checkSignatures(address);
  try {
    const context = await grant();
    limits.noteGoodSignature(address);
    return context;
  } catch (error) {
    if (error instanceof Unauthenticated) await limits.noteWrongSignature(address);
    throw error;
  }
}
