import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../../db/database.js';
import type { Tx } from '../../../db/tx.js';
import type { TokenGrants } from './token-grants.js';

const prefix = 'wmt_';
const form = /^wmt_[A-Za-z0-9_-]{43}$/;

/** How long a member token is valid: it is handed to a browser and used at once. */
const memberTokenLifetimeMs = 3_600_000;

/** Creates a token of 256 random bits. Only its hash is stored. */
function createMemberToken(): { token: string; hash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashMemberToken(token) };
}

/** Checks the form, without a database query. */
export function isWellFormedMemberToken(text: string): boolean {
  return form.test(text);
}

export function hashMemberToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const keptAfterwardsMs = 24 * 3_600_000;

/** Creates a token for a member, in the transaction that has checked that the member may have one (`mayHaveToken`). */
export async function mintMemberToken(
  { identity }: Pick<Database, 'identity'>,
  tx: Tx,
  memberId: number,
  grants: TokenGrants,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + memberTokenLifetimeMs);
  const { token, hash } = createMemberToken();
  await Promise.all([
    identity.memberTokens.insert({ hash, memberId, ...grants, expiresAt, createdAt: now }, tx),
    identity.memberTokens.removeExpired(new Date(now.getTime() - keptAfterwardsMs), tx),
  ]);
  return { token, expiresAt };
}
