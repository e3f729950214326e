import { createHash } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../domain/lib/errors.js';
import type { Configuration } from '../../runtime/configuration.js';
import type { Caller } from './pipeline/caller.js';

/** The limit of refusals per address for all credentials together, as a multiple of the limit for one credential. */
const refusalsOfAddress = 10;
/** The mails that one inbox takes in a window. Mail servers keep what is refused, and try again. */
export const mailsOfInbox = 300;
/** Refusals of one credential are counted by its scheme and first characters. */
const prefixLength = 'Bearer wes_'.length + 8;

/** The quotas of one api process (decision 32). `address` is for callers without credentials. */
export class RateLimits {
  readonly #credential: Quota | undefined;
  readonly #account: Quota | undefined;
  readonly #workspace: Quota | undefined;
  readonly #address: Quota | undefined;
  readonly #refusals: Quota | undefined;
  readonly #refusalsOfAddress: Quota | undefined;
  readonly #signatures: Quota | undefined;
  readonly #mails = new Quota('inbox', mailsOfInbox);
  readonly #goodCredentials = new LatelyGood();
  readonly #carrierAddresses = new LatelyGood();
  /** Who lately handed good mail in to an inbox: an address with that inbox. */
  readonly #mailServers = new LatelyGood(dayMs);

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
   * Called before a credential is looked up; a recently accepted one passes.
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

  async noteRefusal(address: string, credential: string): Promise<void> {
    this.#goodCredentials.remove(credential);
    await this.#refusals?.consume(refusalName(address, credential));
    await this.#refusalsOfAddress?.consume(address);
  }

  noteGood(credential: string): void {
    this.#goodCredentials.add(credential);
  }

  /** Called before a carrier's request is read. @throws TooManyRequests after too many wrong signatures */
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

  /** Counts a request of a caller. One beyond the caller's own quota does not count against the shared ones. */
  async takeCaller({ credential, workspaceId, owner }: Caller): Promise<QuotaStatus[]> {
    const own = await this.#credential?.consume(`${credential.kind}:${credential.id}`);
    if (own?.exceeded) return [own];
    const all = await this.#account?.consume(owner);
    if (all?.exceeded) return [all];
    const common = workspaceId === null ? undefined : await this.#workspace?.consume(String(workspaceId));
    return [own, all, common].filter((standing) => standing !== undefined);
  }

  /**
   * Called before a mail is received. @returns whether the address lately handed in good mail for the inbox
   * @throws TooManyRequests after too many refusals of the address for the inbox, or in all, or too many mails
   */
  async checkMailServer(address: string, inboxUuid: string): Promise<boolean> {
    const name = mailServerName(address, inboxUuid);
    const isKnown = this.#mailServers.has(name);
    const mails = await this.#mails.peek(inboxUuid);
    if (mails !== undefined) checkQuotas([mails]);
    if (isKnown) return true;
    for (const standing of [
      await this.#signatures?.peek(name),
      await this.#refusalsOfAddress?.peek(`inbox ${address}`),
    ]) {
      if (standing?.exceeded) throw tooMany(standing, 'Too many signatures were wrong.');
    }
    return false;
  }

  async noteRefusedMail(address: string, inboxUuid: string): Promise<void> {
    await this.#signatures?.consume(mailServerName(address, inboxUuid));
    await this.#refusalsOfAddress?.consume(`inbox ${address}`);
  }

  noteGoodMail(address: string, inboxUuid: string): void {
    this.#mailServers.add(mailServerName(address, inboxUuid));
  }

  async takeInbox(inboxUuid: string): Promise<QuotaStatus[]> {
    return [await this.#mails.consume(inboxUuid)];
  }

  /** Counts a refresh of the tokens of an OAuth grant. */
  async takeGrant(grantId: string): Promise<QuotaStatus[]> {
    const standing = await this.#credential?.consume(`oauth_grant:${grantId}`);
    return standing === undefined ? [] : [standing];
  }

  async takeAddress(address: string): Promise<QuotaStatus[]> {
    const standing = await this.#address?.consume(address);
    return standing === undefined ? [] : [standing];
  }
}

/** The headers about the quotas of a request (draft-ietf-httpapi-ratelimit-headers-10); none if nothing is limited. */
export function rateLimitHeaders(standings: readonly QuotaStatus[]): Record<string, string> {
  if (standings.length === 0) return {};
  const rests = standings.map(({ quota, remaining, resetSeconds: t }) => `"${quota}";r=${remaining};t=${t}`);
  const policies = standings.map(({ quota, limit }) => `"${quota}";q=${limit};w=${windowSeconds}`);
  return { RateLimit: rests.join(', '), 'RateLimit-Policy': policies.join(', ') };
}

function mailServerName(address: string, inboxUuid: string): string {
  return `inbox ${address} ${inboxUuid}`;
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

/** Length of every window. */
const windowSeconds = 60;

/** The state of one name within a quota. */
export interface QuotaStatus {
  quota: string;
  limit: number;
  exceeded: boolean;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/** Limits the requests in a window, for each of the most recent names; one that was dropped starts again at zero. */
export class Quota {
  readonly #limiter: RateLimiterMemory;
  readonly #names = new Set<string>();

  constructor(
    readonly name: string,
    readonly limit: number,
    readonly mostNames = 50_000,
  ) {
    this.#limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  }

  /** The number of names that are kept. */
  get size(): number {
    return this.#names.size;
  }

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
      limit: this.limit,
      exceeded,
      remaining: counted.remainingPoints,
      resetSeconds: Math.max(1, Math.ceil(counted.msBeforeNext / 1_000)),
    };
  }

  #makeRoom(): void {
    const [oldest] = this.#names;
    if (oldest === undefined || this.#names.size < this.mostNames) return;
    this.#names.delete(oldest);
    this.#limiter.delete(oldest);
  }
}

const mostKept = 20_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Remembers recently accepted secrets (credentials, sender addresses) by their hashes only. */
class LatelyGood {
  /** When each was last accepted; the oldest first. */
  readonly #seen = new Map<string, number>();

  constructor(readonly keptMs = hourMs) {}

  has(secret: string): boolean {
    const seenAt = this.#seen.get(nameOf(secret));
    return seenAt !== undefined && Date.now() - seenAt < this.keptMs;
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
