import type { AccountCredential } from '../../../domain/kernel/account-context.js';
import type { Actor } from '../../../domain/kernel/actor.js';
import { callerIds } from './caller-ids.js';

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
