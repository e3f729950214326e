import type { Actor } from '../../domain/kernel/actor.js';

interface GrantedContext {
  actor?: Actor;
  account?: { id: number } | null;
  owner?: { accountId: number | null; memberId: number | null };
  credential?: { kind: string; id: number };
}

/** Who a request was let in as, in ids, for the log: what a superuser or an admin did can be found there. */
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
