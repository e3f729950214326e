import type { Tx } from '../../db/database.js';
import type { Person } from '../../db/lib/person-data.js';
import { type NamedTable, personTables } from '../../db/person-data/catalogue.js';
import { eraseRows, isErasedInSteps } from '../../db/person-data/erase-rows.js';
import { removeErasedIdentifiers } from '../../db/person-data/erased-identifiers.js';
import {
  addErasedRows,
  findPersonErasure,
  isAccountUsed,
  mayOlderWrite,
  type PersonErasureRow,
  patchPersonErasure,
} from '../../db/person-data/person-erasures.js';
import type { ErasureStep } from '../../workflows/contracts/steps.js';
import { closeChatsOf } from '../assignments/close-chats.js';
import type { ServiceContext } from '../kernel/context.js';

export interface ErasureRef {
  workspaceId: number;
  erasureId: number;
}

export interface Slice {
  /** Whether the slice is over: the next one begins with the first table, where little is left. */
  isOver(): boolean;
  /** Called after each batch. */
  onBatch?(): void;
}

/** How long late writes are possible: turns of agents, answers of the carrier, jobs that were under way. */
export const lookAgainAfterMs = 24 * 3_600_000;
const olderPauseMs = 2_000;

/**
 * Erases what is stored about a member, table by table in batches, each in a transaction of its own. Every step may be
 * repeated. It begins when all transactions that are older than the erasure have ended, as these may have seen the
 * member; it ends with a pass through all tables that finds nothing, and looks once more a day later.
 */
export async function erasePerson(
  context: ServiceContext,
  { workspaceId, erasureId }: ErasureRef,
  slice: Slice,
): Promise<ErasureStep> {
  const { db, clock } = context;
  const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => db.inWorkspace(workspaceId, work);
  const erasure = await inWorkspace((tx) => findPersonErasure(tx, erasureId));
  if (erasure === undefined || erasure.finishedAt !== null) return { kind: 'finished', erased: 0 };
  const now = clock.now();
  if (erasure.lookAgainAt !== null && now < erasure.lookAgainAt) {
    return { kind: 'wait', until: erasure.lookAgainAt.getTime(), for: 'look' };
  }
  if (await inWorkspace((tx) => mayOlderWrite(tx, erasure.begunIn))) {
    return { kind: 'wait', until: now.getTime() + olderPauseMs, for: 'older' };
  }

  const erased = await erasePass();
  if (erased.isCut || erased.count > 0) return { kind: 'again', erased: erased.count };
  return inWorkspace((tx) => noteNothingLeft(tx, erasure, clock.now()));

  async function erasePass(): Promise<{ count: number; isCut: boolean }> {
    // A transaction that was older than the erasure may have opened another one.
    await inWorkspace((tx) => closeChatsOf(tx, erasure?.memberId ?? 0, now));
    const person = await inWorkspace((tx) => personOf(tx, erasure as PersonErasureRow));
    let count = 0;
    for (const table of personTables.filter(isErasedInSteps)) {
      let after: number | undefined = 0;
      while (after !== undefined) {
        const batch = await eraseBatch(table, person, after);
        count += batch.count;
        after = batch.next;
        slice.onBatch?.();
        if (slice.isOver()) return { count, isCut: true };
      }
    }
    return { count, isCut: false };
  }

  async function eraseBatch(table: NamedTable, person: Person, after: number) {
    return inWorkspace(async (tx) => {
      const batch = await eraseRows(tx, table, person, after);
      if (batch.count > 0) await addErasedRows(tx, erasureId, table.name, batch.count);
      return batch;
    });
  }
}

async function noteNothingLeft(tx: Tx, { id, erasedAt }: PersonErasureRow, now: Date): Promise<ErasureStep> {
  if (erasedAt !== null) {
    await removeErasedIdentifiers(tx, id);
    await patchPersonErasure(tx, id, { finishedAt: now });
    return { kind: 'finished', erased: 0 };
  }
  const lookAgainAt = new Date(now.getTime() + lookAgainAfterMs);
  await patchPersonErasure(tx, id, { erasedAt: now, lookAgainAt });
  return { kind: 'wait', until: lookAgainAt.getTime(), for: 'look' };
}

/** An account that has joined a workspace since is not erased. */
async function personOf(tx: Tx, { memberId, accountId }: PersonErasureRow): Promise<Person> {
  const isUsed = accountId !== null && (await isAccountUsed(tx, accountId));
  return { workspaceId: tx.workspaceId, memberId, accountId: isUsed ? null : accountId };
}
