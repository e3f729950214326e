import { createHash } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../domain/lib/errors.js';
import type { Configuration } from '../../runtime/configuration.js';
import type { Caller } from './pipeline/caller.js';

/** The headers about the quotas of a request (draft-ietf-httpapi-ratelimit-headers-10). */
interface RateLimitHeaders {
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

/** Length of every window, in seconds. */
const windowSeconds = 60;

const mostNames = 50_000;

/** The state of one name within a quota. */
export interface QuotaStatus {
  quota: string;
  exceeded: boolean;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/**
 * Limits the requests in a window, separately for each name. Counts are kept in this process for the 50,000 most recent
 * names; a name that was dropped starts again at zero.
 */
export class Quota {
  readonly #limiter: RateLimiterMemory;
  readonly #names = new Set<string>();
  readonly #mostNames: number;

  constructor(
    readonly name: string,
    readonly limit: number,
    options: { mostNames?: number } = {},
  ) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
    this.#mostNames = options.mostNames ?? mostNames;
  }

  /** The number of names that are kept. */
  get size(): number {
    return this.#names.size;
  }

  /** Counts one request. */
  async consume(name: string): Promise<QuotaStatus> {
    if (!this.#names.has(name)) this.#makeRoom();
    const counted = await this.#limiter.penalty(name);
    if (counted.isFirstInDuration) this.#names.delete(name);
    this.#names.add(name);
    return this.#standing(counted, counted.consumedPoints > this.limit);
  }

  /** Returns the state without counting; undefined if nothing was counted in this window. */
  async peek(name: string): Promise<QuotaStatus | undefined> {
    if (!this.#names.has(name)) return undefined;
    const counted = await this.#limiter.get(name);
    if (counted === null || counted.msBeforeNext <= 0) return undefined;
    return this.#standing(counted, counted.consumedPoints >= this.limit);
  }

  #standing(counted: RateLimiterRes, exceeded: boolean): QuotaStatus {
    return {
      quota: this.name,
      exceeded,
      remaining: counted.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
    };
  }

  #makeRoom(): void {
    const [oldest] = this.#names;
    if (oldest === undefined || this.#names.size < this.#mostNames) return;
    this.#names.delete(oldest);
    this.#limiter.delete(oldest);
  }
}

const mostKept = 20_000;
const keptMs = 3_600_000;

/** Remembers recently accepted secrets (credentials, sender addresses) by their hashes only. */
class LatelyGood {
  /** When each hash was last accepted; the oldest first. */
  readonly #seen = new Map<string, number>();

  has(secret: string): boolean {
    const seenAt = this.#seen.get(nameOf(secret));
    return seenAt !== undefined && Date.now() - seenAt < keptMs;
  }

  add(secret: string): void {
    const name = nameOf(secret);
    this.#seen.delete(name);
    this.#seen.set(name, Date.now());
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostKept && oldest !== undefined) this.#seen.delete(oldest);
  }

  remove(secret: string): void {
    this.#seen.delete(nameOf(secret));
  }
}

function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
