import type { Context } from 'koa';
import { Unauthenticated } from '../../../domain/errors.js';
import { callerOf } from '../caller.js';
import type { Route } from '../define-route.js';
import { addressName } from './address-name.js';
import type { Standing } from './quota.js';
import { checkStandings, type RateLimits } from './rate-limits.js';

/** Whether requests to a route are counted. Probes and the carrier, whose signature is checked, always get through. */
export function isLimited({ access, tag }: Pick<Route, 'access' | 'tag'>): boolean {
  return access.kind !== 'carrier' && tag !== 'Health';
}

/**
 * Grants access within the quotas, and tells what is left of them. Callers are counted by what they have been let in
 * with, all others by their address.
 *
 * @throws TooManyRequests, and whatever `grant` throws
 */
export async function admit(
  ctx: Context,
  limits: RateLimits,
  grant: () => Promise<unknown>,
): Promise<unknown> {
  const address = addressName(ctx.ip);
  const tell = (standings: Standing[]) => {
    ctx.set({ ...limits.headersOf(standings) });
    checkStandings(standings);
  };
  await limits.checkRefusals(address);
  let context: unknown;
  try {
    context = await grant();
  } catch (error) {
    const chosen = ctx.headers.authorization !== undefined;
    // A cookie that is no longer good is sent by the browser itself: nobody is guessing.
    if (error instanceof Unauthenticated && chosen) await limits.noteRefusal(address);
    else tell(await limits.takeAddress(address));
    throw error;
  }
  const caller = callerOf(context);
  tell(caller === undefined ? await limits.takeAddress(address) : await limits.takeCaller(caller));
  return context;
}
