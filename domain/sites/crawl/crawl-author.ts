import { findLastingPermissions } from '../../../db/people/member-access.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import { credentialIds } from '../../kernel/credential-ids.js';

/** By whose right a site is crawled, also when nobody asks any more. */
export interface CrawlAuthor {
  memberId: number;
  /** The API key by which it was ordered, if it was one. */
  apiKeyId: number | null;
  /** The grant of the OAuth token by which it was ordered, if it was one. */
  oauthGrantId: number | null;
}

export function authorOf({ memberId, credential }: Actor): CrawlAuthor {
  return { memberId, ...credentialIds(credential) };
}

/** Whether the author may change sites now, and the credential by which it was ordered is still good for that. */
export async function mayCrawl(tx: Tx, author: CrawlAuthor, now: Date): Promise<boolean> {
  const permissions = await findLastingPermissions(tx, { ...author, scopes: ['sites:write'], now });
  return permissions?.includes('sites:write') ?? false;
}
