import type { AccountCredential } from '../../../domain/kernel/account-context.js';
import type { Actor } from '../../../domain/kernel/actor.js';

/** The caller, as quotas and idempotency keys identify it. */
export interface Caller {
  credential: { kind: string; id: number };
  /** Null for requests of an account outside of any workspace. */
  workspaceId: number | null;
  /** The account that owns the credential, or the member if there is no account: `account:7`. */
  owner: string;
}

/** The caller that access was granted to; undefined without credentials, and for the carrier. */
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

interface GrantedContext {
  actor?: Actor;
  account?: { id: number } | null;
  owner?: { accountId: number | null; memberId: number | null };
  credential?: { kind: string; id: number };
}

/** Returns the ids of the authenticated caller for the log, so that the acts of superusers and admins can be traced. */
export function callerIds(context: unknown): Record<string, string | number> | undefined {
  const { actor, account, owner, credential = actor?.credential } = context as GrantedContext;
  if (credential === undefined) return undefined;
  const accountId = actor?.accountId ?? account?.id ?? owner?.accountId;
  const memberId = actor?.memberId ?? owner?.memberId;
  return {
    ...(accountId == null ? {} : { accountId }),
    ...(memberId == null ? {} : { memberId }),
    credential: credential.kind,
    credentialId: credential.id,
  };
}
