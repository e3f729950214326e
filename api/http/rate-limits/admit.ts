import type { Context } from 'koa';
import { Unauthenticated } from '../../../domain/lib/errors.js';
import { callerOf } from '../caller.js';
import type { Route } from '../define-route.js';
import { addressName } from './address-name.js';
import type { QuotaStatus } from './quota.js';
import { checkQuotas, type RateLimits } from './rate-limits.js';

type Grant = () => Promise<unknown>;

/** Whether requests to a route are counted. Probes are not: one that is refused would end a process that is well. */
export function isLimited({ tag }: Pick<Route, 'tag'>): boolean {
  return tag !== 'Health';
}

/** How a route lets requests in. */
export function admissionOf(route: Pick<Route, 'access' | 'tag'>): typeof admit {
  if (!isLimited(route)) return async (_ctx, _limits, grant) => grant();
  return route.access.kind === 'carrier' ? admitCarrier : admit;
}

/**
 * Grants access within the quotas, and tells what is left of them. Callers are counted by what they have been let in
 * with, all others by their address.
 *
 * @throws TooManyRequests, and whatever `grant` throws
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
    // A cookie that is no longer good is sent by the browser itself: nobody is guessing.
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
 * Lets the carrier in by its signature, as often as it comes. An address from which too many wrong ones came is turned
 * away before anything is read of it, unless the carrier itself was there lately.
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
