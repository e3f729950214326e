import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { addressName } from '../http/address-name.js';
import { checkQuotas, reportQuotas } from '../http/rate-limits/quota.js';
import { presentedCredential, type RateLimits } from '../http/rate-limits/rate-limits.js';
import type { Presented } from '../http/rate-limits/refusals.js';
import { withOAuthErrors } from './oauth-errors.js';

/**
 * The quotas of the authorization server. What clients do wrong is counted for each client at an address: the clients of
 * one vendor share addresses, and one that goes wrong does not lock the others out.
 */
export class OAuthQuotas {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Counts a request of a browser or a program that is not known yet. @throws TooManyRequests */
  async takeRequest(ctx: Context): Promise<void> {
    if (ctx.method === 'POST') return;
    reportQuotas(ctx, await this.#limits.takeAddress(addressName(ctx.ip)));
  }

  /** Called before a client is looked up. @throws AskedTooOften after too many refusals of this client at this address */
  async checkClient(ctx: KoaContextWithOIDC, clientId: string): Promise<void> {
    await withOAuthErrors(() => this.#limits.credentials.check(presentedAt(ctx, clientId)));
  }

  /** Counts a client that does not exist. @throws AskedTooOften */
  async takeUnknown(ctx: KoaContextWithOIDC): Promise<void> {
    await withOAuthErrors(async () => checkQuotas(await this.#limits.takeAddress(addressName(ctx.ip))));
  }

  /** Counts a refresh under a grant. @throws AskedTooOften */
  async takeRefresh(grantId: string): Promise<void> {
    await withOAuthErrors(() => this.#limits.takeGrant(grantId));
  }

  recordRefusal(ctx: KoaContextWithOIDC): void {
    const clientId = ctx.oidc.client?.clientId ?? ctx.oidc.params?.client_id;
    // The answer does not wait for the count, which is in memory.
    void this.#limits.credentials.recordRefused(
      presentedAt(ctx, typeof clientId === 'string' ? clientId : ''),
    );
  }

  recordGood(ctx: KoaContextWithOIDC): void {
    const { client } = ctx.oidc;
    if (client !== undefined) this.#limits.credentials.recordGood(presentedAt(ctx, client.clientId));
  }
}

/** A client as it is counted when it is refused: by a short name, as it may be a long address. */
function presentedAt({ ip }: Pick<Context, 'ip'>, clientId: string): Presented {
  const digest = createHash('sha256').update(clientId).digest('base64url').slice(0, 12);
  return presentedCredential(addressName(ip), `oauth ${digest}`);
}
