import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { TooManyRequests } from '../../domain/lib/errors.js';
import { addressName } from '../http/address-name.js';
import { checkQuotas, type QuotaStatus, type RateLimits, rateLimitHeaders } from '../http/rate-limits.js';
import { AskedTooOften } from './oauth-errors.js';

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
    const standings = await this.#limits.takeAddress(addressName(ctx.ip));
    ctx.set(rateLimitHeaders(standings));
    checkQuotas(standings);
  }

  /** Called before a client is looked up. @throws AskedTooOften after too many refusals of this client at this address */
  async checkClient(ctx: KoaContextWithOIDC, clientId: string): Promise<void> {
    try {
      await this.#limits.checkRefusals(addressName(ctx.ip), nameOf(clientId));
    } catch (error) {
      if (error instanceof TooManyRequests) throw new AskedTooOften(error.retryAfterSeconds);
      throw error;
    }
  }

  /** Counts a client that does not exist. @throws AskedTooOften */
  async takeUnknown(ctx: KoaContextWithOIDC): Promise<void> {
    askedTooOften(await this.#limits.takeAddress(addressName(ctx.ip)));
  }

  /** Counts a refresh under a grant. @throws AskedTooOften */
  async takeRefresh(grantId: string): Promise<void> {
    askedTooOften(await this.#limits.takeGrant(grantId));
  }

  noteRefusal(ctx: KoaContextWithOIDC): void {
    const clientId = ctx.oidc.client?.clientId ?? ctx.oidc.params?.client_id;
    const name = nameOf(typeof clientId === 'string' ? clientId : '');
    // The answer does not wait for the count, which is in memory.
    void this.#limits.noteRefusal(addressName(ctx.ip), name);
  }

  noteGood(ctx: KoaContextWithOIDC): void {
    const { client } = ctx.oidc;
    if (client !== undefined) this.#limits.noteGood(nameOf(client.clientId));
  }
}

function askedTooOften(standings: readonly QuotaStatus[]): void {
  const exceeded = standings.find((standing) => standing.exceeded);
  if (exceeded !== undefined) throw new AskedTooOften(exceeded.resetSeconds);
}

/** A short name of a client, which may be a long address. */
function nameOf(clientId: string): string {
  return `oauth ${createHash('sha256').update(clientId).digest('base64url').slice(0, 12)}`;
}
