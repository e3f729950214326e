import type { AccountCredential } from '../../domain/kernel/account-context.js';
import type { Actor } from '../../domain/kernel/actor.js';
import { callerIds } from './caller-ids.js';

/** Who calls, as far as it matters for what is counted and repeated. */
export interface Caller {
  credential: { kind: string; id: number };
  /** Null for what an account does over all workspaces. */
  workspaceId: number | null;
  /** The account, or the member that has none, behind all of its credentials: `account:7`. */
  owner: string;
}

/** The caller that access was granted to; undefined for those without credentials, and for the carrier. */
export function callerOf(context: unknown): Caller | undefined {
  const { actor, credential = actor?.credential } = context as {
    actor?: Actor;
    credential?: Pick<AccountCredential, 'kind' | 'id'>;
  };
  if (credential === undefined) return undefined;
  const { accountId, memberId } = callerIds(context) ?? {};
  return {
    credential,
    workspaceId: actor?.workspaceId ?? null,
    owner: accountId === undefined ? `member:${memberId}` : `account:${accountId}`,
  };
}
