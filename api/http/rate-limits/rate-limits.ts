import { TooManyRequests } from '../../../domain/lib/errors.js';
import type { Configuration } from '../../../runtime/configuration.js';
import type { Caller } from '../pipeline/caller.js';
import { LatelyGood } from './lately-good.js';
import { Quota, type QuotaStatus, windowSeconds } from './quota.js';

/** The headers about the quotas of a request (draft-ietf-httpapi-ratelimit-headers-10). */
export interface RateLimitHeaders {
  RateLimit: string;
  'RateLimit-Policy': string;
}

/** The limit of refusals per address for all credentials together, as a multiple of the limit for one credential. */
const refusalsOfAddress = 10;
/**
 * Length of the scheme and the first characters of a credential, by which repeated refusals of the same one are
 * counted.
 */
const prefixLength = 'Bearer wes_'.length + 8;

/**
 * The quotas of one api process: per credential, per account over all its credentials, per workspace, per address for
 * callers without credentials, and per address for refused credentials and signatures.
 */
export class RateLimits {
  readonly #credential: Quota | undefined;
  readonly #account: Quota | undefined;
  readonly #workspace: Quota | undefined;
  readonly #address: Quota | undefined;
  readonly #refusals: Quota | undefined;
  readonly #refusalsOfAddress: Quota | undefined;
  readonly #signatures: Quota | undefined;
  readonly #goodCredentials = new LatelyGood();
  readonly #carrierAddresses = new LatelyGood();

  constructor(limits: Configuration['rateLimits']) {
    const quota = (name: string, limit: number) => (limit === 0 ? undefined : new Quota(name, limit));
    this.#credential = quota('credential', limits.credential);
    this.#account = quota('account', limits.account);
    this.#workspace = quota('workspace', limits.workspace);
    this.#address = quota('address', limits.address);
    this.#refusals = quota('refusals', limits.refusals);
    this.#refusalsOfAddress = quota('refusals', limits.refusals * refusalsOfAddress);
    this.#signatures = quota('signatures', limits.refusals);
  }

  /**
   * Called before a credential is looked up. A recently accepted one passes, regardless of other requests from its
   * address.
   * @throws TooManyRequests when too many refusals were counted for this credential's prefix or for the address
   */
  async checkRefusals(address: string, credential: string): Promise<void> {
    if (this.#goodCredentials.has(credential)) return;
    for (const standing of [
      await this.#refusals?.peek(refusalName(address, credential)),
      await this.#refusalsOfAddress?.peek(address),
    ]) {
      if (standing?.exceeded) throw tooMany(standing, 'Too many credentials were refused.');
    }
  }

  /** Counts a credential that was refused. */
  async noteRefusal(address: string, credential: string): Promise<void> {
    this.#goodCredentials.remove(credential);
    await this.#refusals?.consume(refusalName(address, credential));
    await this.#refusalsOfAddress?.consume(address);
  }

  /** Remembers a credential that was accepted. */
  noteGood(credential: string): void {
    this.#goodCredentials.add(credential);
  }

  /**
   * Called before a carrier's request is read. @throws TooManyRequests for an address with too many wrong signatures
   */
  async checkSignatures(address: string): Promise<void> {
    if (this.#carrierAddresses.has(address)) return;
    const standing = await this.#signatures?.peek(address);
    if (standing?.exceeded) throw tooMany(standing, 'Too many signatures were wrong.');
  }

  async noteWrongSignature(address: string): Promise<void> {
    await this.#signatures?.consume(address);
  }

  noteGoodSignature(address: string): void {
    this.#carrierAddresses.add(address);
  }

  /**
   * Counts a request of an authenticated caller. A request beyond the caller's own quota does not count against the
   * shared ones.
   */
  async takeCaller({ credential, workspaceId, owner }: Caller): Promise<QuotaStatus[]> {
    const own = await this.#credential?.consume(`${credential.kind}:${credential.id}`);
    if (own?.exceeded) return [own];
    const all = await this.#account?.consume(owner);
    if (all?.exceeded) return [all];
    const common = workspaceId === null ? undefined : await this.#workspace?.consume(String(workspaceId));
    return [own, all, common].filter((standing) => standing !== undefined);
  }

  /** Counts a request of a caller without credentials. */
  async takeAddress(address: string): Promise<QuotaStatus[]> {
    const standing = await this.#address?.consume(address);
    return standing === undefined ? [] : [standing];
  }

  /** Returns the headers; undefined if nothing is limited. */
  headersOf(standings: readonly QuotaStatus[]): RateLimitHeaders | undefined {
    if (standings.length === 0) return undefined;
    const limitOf = {
      credential: this.#credential,
      account: this.#account,
      workspace: this.#workspace,
      address: this.#address,
    };
    const policy = ({ quota }: QuotaStatus) =>
      `"${quota}";q=${limitOf[quota as keyof typeof limitOf]?.limit};w=${windowSeconds}`;
    return {
      RateLimit: standings.map((one) => `"${one.quota}";r=${one.remaining};t=${one.resetSeconds}`).join(', '),
      'RateLimit-Policy': standings.map(policy).join(', '),
    };
  }
}

function refusalName(address: string, credential: string): string {
  return `${address} ${credential.slice(0, prefixLength)}`;
}

/** @throws TooManyRequests when one of the quotas is exceeded */
export function checkQuotas(standings: readonly QuotaStatus[]): void {
  const exceeded = standings.find((standing) => standing.exceeded);
  if (exceeded !== undefined) throw tooMany(exceeded, `Too many requests of this ${exceeded.quota}.`);
}

function tooMany({ resetSeconds }: QuotaStatus, message: string): TooManyRequests {
  return new TooManyRequests(`${message} Try again in ${resetSeconds} s.`, resetSeconds);
}
