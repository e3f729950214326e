import type { Actor } from '../../../domain/kernel/actor.js';

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
