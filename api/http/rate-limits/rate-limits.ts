import { hash } from 'node:crypto';
import type { Configuration } from '../../../runtime/configuration.js';
import type { Caller } from '../pipeline/caller.js';
import { checkQuotas, Quota, type QuotaStatus } from './quota.js';
import { type Presented, Refusals } from './refusals.js';

/** The limit of refusals per address for all credentials together, as a multiple of the limit for one credential. */
const refusalsOfAddress = 10;
/** The mails that one inbox takes in a window. Mail servers keep what is refused, and try again. */
export const mailsOfInbox = 300;
/** Refusals of one credential are counted by its scheme and first characters. */
const prefixLength = 'Bearer wes_'.length + 8;
const dayMs = 24 * 3_600_000;

/** The quotas of one api process (decision 32). `address` is for callers without credentials. */
export class RateLimits {
  readonly #credential: Quota;
  readonly #account: Quota;
  readonly #workspace: Quota;
  readonly #address: Quota;
  readonly #inbox = new Quota('inbox', mailsOfInbox);
  readonly credentials: Refusals;
  /** Of the carrier, by address. */
  readonly signatures: Refusals;
  /** Of those who hand mail in, by address and inbox. */
  readonly mails: Refusals;

  constructor({ credential, account, workspace, address, refusals: limit }: Configuration['rateLimits']) {
    this.#credential = new Quota('credential', credential);
    this.#account = new Quota('account', account);
    this.#workspace = new Quota('workspace', workspace);
    this.#address = new Quota('address', address);
    const ofAddress = limit * refusalsOfAddress;
    const message = 'Too many signatures were wrong.';
    this.credentials = new Refusals({ limit, ofAddress, message: 'Too many credentials were refused.' });
    this.signatures = new Refusals({ limit, message });
    this.mails = new Refusals({ limit, ofAddress, goodForMs: dayMs, message });
  }

  /** Counts a request of a caller. One beyond the caller's own quota does not count against the shared ones. */
  async takeCaller({ credential, workspaceId, owner }: Caller): Promise<QuotaStatus[]> {
    const own = await this.#credential.consume(`${credential.kind}:${credential.id}`);
    if (own?.exceeded) return [own];
    const all = await this.#account.consume(owner);
    if (all?.exceeded) return [all];
    const common = workspaceId === null ? undefined : await this.#workspace.consume(String(workspaceId));
    return [own, all, common].filter((standing) => standing !== undefined);
  }

  async takeAddress(address: string): Promise<QuotaStatus[]> {
    const standing = await this.#address.consume(address);
    return standing === undefined ? [] : [standing];
  }

  /** Counts a refresh of the tokens of an OAuth grant. @throws TooManyRequests */
  async takeGrant(grantId: string): Promise<void> {
    checkQuota(await this.#credential.consume(`oauth_grant:${grantId}`));
  }

  /** Called before a mail is received. @throws TooManyRequests */
  async checkInbox(inboxUuid: string): Promise<void> {
    checkQuota(await this.#inbox.peek(inboxUuid));
  }

  /** Counts a mail. @throws TooManyRequests */
  async takeInbox(inboxUuid: string): Promise<void> {
    checkQuota(await this.#inbox.consume(inboxUuid));
  }
}

function checkQuota(standing: QuotaStatus | undefined): void {
  if (standing !== undefined) checkQuotas([standing]);
}

/** A credential as it is counted when it is refused: with others that begin like it. */
export function presentedCredential(address: string, credential: string): Presented {
  const digest = hash('sha256', credential, 'base64');
  return { name: `${address} ${credential.slice(0, prefixLength)}`, address, digest };
}
