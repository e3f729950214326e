import { TooManyRequests } from '../../../domain/errors.js';
import type { Configuration } from '../../../runtime/configuration.js';
import type { Caller } from '../caller.js';
import { Quota, type Standing, windowSeconds } from './quota.js';

/** What is told of the quotas that a request counts in (draft-ietf-httpapi-ratelimit-headers-10). */
export interface RateLimitHeaders {
  RateLimit: string;
  'RateLimit-Policy': string;
}

/**
 * The quotas of one api process: for each credential, each workspace, each address that calls without credentials,
 * and for each address the credentials that were refused.
 */
export class RateLimits {
  readonly #credential: Quota | undefined;
  readonly #workspace: Quota | undefined;
  readonly #address: Quota | undefined;
  readonly #refusals: Quota | undefined;

  constructor(limits: Configuration['rateLimits']) {
    const quota = (name: string, limit: number) => (limit === 0 ? undefined : new Quota(name, limit));
    this.#credential = quota('credential', limits.credential);
    this.#workspace = quota('workspace', limits.workspace);
    this.#address = quota('address', limits.address);
    this.#refusals = quota('refusals', limits.refusals);
  }

  /** Before credentials are looked at. @throws TooManyRequests for an address from which too many were refused */
  async checkRefusals(address: string): Promise<void> {
    const standing = await this.#refusals?.look(address);
    if (standing?.exceeded) throw tooMany(standing, 'Too many credentials were refused.');
  }

  /** Counts credentials that were refused. */
  async noteRefusal(address: string): Promise<void> {
    await this.#refusals?.take(address);
  }

  /** Counts a request of somebody who was let in. A credential over its own quota takes nothing of its workspace's. */
  async takeCaller({ credential, workspaceId }: Caller): Promise<Standing[]> {
    const own = await this.#credential?.take(`${credential.kind}:${credential.id}`);
    if (own?.exceeded) return [own];
    const common = workspaceId === null ? undefined : await this.#workspace?.take(String(workspaceId));
    return [own, common].filter((standing) => standing !== undefined);
  }

  /** Counts a request of nobody in particular. */
  async takeAddress(address: string): Promise<Standing[]> {
    const standing = await this.#address?.take(address);
    return standing === undefined ? [] : [standing];
  }

  /** What is told of them; undefined where nothing is limited. */
  headersOf(standings: readonly Standing[]): RateLimitHeaders | undefined {
    if (standings.length === 0) return undefined;
    const limitOf = { credential: this.#credential, workspace: this.#workspace, address: this.#address };
    const policy = ({ quota }: Standing) =>
      `"${quota}";q=${limitOf[quota as keyof typeof limitOf]?.limit};w=${windowSeconds}`;
    return {
      RateLimit: standings.map((one) => `"${one.quota}";r=${one.remaining};t=${one.resetSeconds}`).join(', '),
      'RateLimit-Policy': standings.map(policy).join(', '),
    };
  }
}

/** @throws TooManyRequests when one of the quotas is exceeded */
export function checkStandings(standings: readonly Standing[]): void {
  const exceeded = standings.find((standing) => standing.exceeded);
  if (exceeded !== undefined) throw tooMany(exceeded, `Too many requests of this ${exceeded.quota}.`);
}

function tooMany({ resetSeconds }: Standing, message: string): TooManyRequests {
  return new TooManyRequests(`${message} Try again in ${resetSeconds} s.`, resetSeconds);
}
