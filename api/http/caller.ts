import type { AccountCredential } from '../../domain/accounts/account-context.js';
import type { Actor } from '../../domain/actor.js';

/** Who calls, as far as it matters for what is counted and repeated. */
export interface Caller {
  credential: { kind: string; id: number };
  /** Null for what an account does over all workspaces. */
  workspaceId: number | null;
}

/** The caller that access was granted to; undefined for those without credentials, and for the carrier. */
export function callerOf(context: unknown): Caller | undefined {
  const { actor, credential } = context as { actor?: Actor; credential?: AccountCredential };
  if (actor !== undefined) return { credential: actor.credential, workspaceId: actor.workspaceId };
  return credential === undefined ? undefined : { credential, workspaceId: null };
}
