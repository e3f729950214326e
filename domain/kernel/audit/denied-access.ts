import type { Database } from '../../../db/database.js';
import { countAccountAuditEvent, countAuditEvent } from '../../../db/identity/audit-events.js';
import { type ActingCredential, auditEvent } from './record-audit.js';

/** A caller whose request was refused with 403. */
export interface DeniedCaller {
  credential: ActingCredential;
  workspaceId: number | null;
  accountId: number | undefined;
  memberId: number | undefined;
}

const hourMs = 3_600_000;
const maxRemembered = 10_000;

/**
 * Records denied access by credential and hour: one row with a count. This process counts, and writes the first, the
 * second, the fourth, the eighth and so on, so that a client that is denied all the time costs a dozen writes an hour. The
 * count of a row is therefore at least half of what was denied.
 */
export class DeniedAccess {
  readonly #counts = new Map<string, { hour: number; count: number }>();

  /** Does not fail: @returns whether the row was written */
  async note(
    { db, now }: { db: Pick<Database, 'inWorkspace' | 'inIdentity'>; now: Date },
    { credential, workspaceId, accountId, memberId }: DeniedCaller,
    names: readonly string[],
  ): Promise<boolean> {
    const count = this.#count(`${workspaceId} ${credential.kind} ${credential.id}`, now);
    if ((count & (count - 1)) !== 0) return false;
    const sample = {
      hour: new Date(Math.floor(now.getTime() / hourMs) * hourMs),
      count: count === 1 ? 1 : count / 2,
    };
    const event = auditEvent(now, 'access:denied', credential, { names });
    if (workspaceId !== null) {
      const actorMemberId = memberId ?? null;
      await db.inWorkspace(workspaceId, async (tx) =>
        countAuditEvent(tx, { ...event, actorMemberId }, sample),
      );
    } else if (accountId !== undefined) {
      await db.inIdentity(async (tx) => countAccountAuditEvent(tx, { ...event, accountId }, sample));
    }
    return true;
  }

  #count(key: string, now: Date): number {
    const hour = Math.floor(now.getTime() / hourMs);
    const known = this.#counts.get(key);
    const count = known?.hour === hour ? known.count + 1 : 1;
    this.#counts.delete(key);
    this.#counts.set(key, { hour, count });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxRemembered && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
