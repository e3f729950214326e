import type { Person } from '../../db/lib/personal-data-inventory.js';
import { type NamedTable, personTables } from '../../db/person-data/catalogue.js';
import { eraseRows, isErasedInSteps, minShare } from '../../db/person-data/erase-rows.js';
import { removeErasedIdentifiers } from '../../db/person-data/erased-identifiers.js';
import {
  addErasedRows,
  type ErasurePlace,
  findPersonErasure,
  isAccountUsed,
  mayOlderWrite,
  type PersonErasureRow,
  patchPersonErasure,
} from '../../db/person-data/person-erasures.js';
import { isStatementCancelled } from '../../db/postgres-errors.js';
import type { Tx } from '../../db/tx.js';
import type { ErasureStep } from '../../workflows/contracts/steps.js';
import { closeChatsOf } from '../assignments/close-chats.js';
import type { ServiceContext } from '../kernel/context.js';

export interface ErasureRef {
  workspaceId: number;
  erasureId: number;
}

export interface Slice {
  /** Whether the slice is over: the next one goes on where it stopped. */
  isOver(): boolean;
  /** Called after each batch. */
  onBatch?(): void;
}

/** How long late writes are possible: turns of agents, answers of the carrier, jobs that were under way. */
export const checkAgainAfterMs = 24 * 3_600_000;
const olderPauseMs = 2_000;
const beginning = { after: 0, share: 1, erased: 0 };

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

  // A transaction that was older than the erasure may have opened another one.
  await inWorkspace((tx) => closeChatsOf(tx, erasure.memberId, now));
  const person = await inWorkspace((tx) => personOf(tx, erasure));
  let erased = 0;
  const { isEnd, ...place } = await erasePass(erasure.place);
  await inWorkspace((tx) => patchPersonErasure(tx, erasureId, { place: isEnd ? null : place }));
  if (!isEnd || place.erased > 0) return { kind: 'again', erased };
  return inWorkspace((tx) => recordNothingLeft(tx, erasure, clock.now()));

  /** Goes on with a pass through the tables, until its end or that of the slice. @returns where it stopped */
  async function erasePass(from: ErasurePlace | null): Promise<ErasurePlace & { isEnd: boolean }> {
    const tables = personTables.filter(isErasedInSteps);
    const first = tables.findIndex(({ name }) => name === from?.table);
    let place = from !== null && first >= 0 ? from : { ...beginning, table: tables[0]?.name ?? '' };
    for (const [passed, table] of tables.entries()) {
      if (passed < first) continue;
      for (let isDone = false; !isDone; ) {
        const { count, next, share } = await eraseBatch(table, place);
        erased += count;
        isDone = next === undefined;
        const goesOn = isDone
          ? { ...beginning, table: tables[passed + 1]?.name ?? '' }
          : { table: table.name, after: next ?? 0, share };
        place = { ...goesOn, erased: place.erased + count };
        if (slice.isOver() && place.table !== '') return { ...place, isEnd: false };
      }
    }
    return { ...place, isEnd: true };
  }

  /** Rows that take too long are erased in smaller batches, down to one at a time. */
  async function eraseBatch(table: NamedTable, { after, ...place }: ErasurePlace) {
    for (let share = place.share; ; share /= 4) {
      slice.onBatch?.();
      try {
        const batch = await inWorkspace(async (tx) => {
          const rows = await eraseRows(tx, table, person, after, share);
          if (rows.count > 0) await addErasedRows(tx, erasureId, table.name, rows.count);
          return rows;
        });
        return { ...batch, share };
      } catch (error) {
        if (!isStatementCancelled(error) || share <= minShare) throw error;
      }
    }
  }
}

async function recordNothingLeft(
  tx: Tx,
  { id, erasedAt }: PersonErasureRow,
  now: Date,
): Promise<ErasureStep> {
  if (erasedAt !== null) {
    await removeErasedIdentifiers(tx, id);
    await patchPersonErasure(tx, id, { finishedAt: now });
    return { kind: 'finished', erased: 0 };
  }
  const lookAgainAt = new Date(now.getTime() + checkAgainAfterMs);
  await patchPersonErasure(tx, id, { erasedAt: now, lookAgainAt });
  return { kind: 'wait', until: lookAgainAt.getTime(), for: 'look' };
}

/** An account that has joined a workspace since is not erased. */
async function personOf(tx: Tx, { memberId, accountId }: PersonErasureRow): Promise<Person> {
  const isUsed = accountId !== null && (await isAccountUsed(tx, accountId));
  return { workspaceId: tx.workspaceId, memberId, accountId: isUsed ? null : accountId };
}
