import type { Actor } from '../../../domain/kernel/actor.js';

/** The caller, as quotas, idempotency keys and the log identify it. */
export interface Caller {
  credential: { kind: string; id: number };
  /** Null for requests of an account outside of any workspace. */
  workspaceId: number | null;
  accountId: number | undefined;
  memberId: number | undefined;
  /** The account that owns the credential, or the member if there is no account: `account:7`. */
  owner: string;
}

interface GrantedContext {
  actor?: Actor | undefined;
  account?: { id: number } | null;
  owner?: { accountId: number | null; memberId: number | null };
  credential?: { kind: string; id: number };
}

/** The caller that access was granted to; undefined without credentials, and for the carrier. */
export function callerOf(context: unknown): Caller | undefined {
  const { actor, account, owner, credential = actor?.credential } = context as GrantedContext;
  if (credential === undefined) return undefined;
  // A visitor is no member that quotas are shared with: what strangers use up is not the team's.
  if (credential.kind === 'visitor_token') {
    const memberId = actor?.memberId;
    return {
      credential,
      workspaceId: null,
      accountId: undefined,
      memberId,
      owner: `visitor:${credential.id}`,
    };
  }
  const accountId = actor?.accountId ?? account?.id ?? owner?.accountId ?? undefined;
  const memberId = actor?.memberId ?? owner?.memberId ?? undefined;
  return {
    credential,
    workspaceId: actor?.workspaceId ?? null,
    accountId,
    memberId,
    owner: accountId === undefined ? `member:${memberId}` : `account:${accountId}`,
  };
}
