import {
  addImportAttempts,
  addSettledRows,
  findImportedObject,
  findMemberImport,
  type MemberImportFailure,
  type MemberImportRow,
  type SettledRows,
} from '../../../db/people/member-imports.js';
import type { Tx } from '../../../db/tx.js';
import type { ImportStep } from '../../../workflows/contracts/steps.js';
import type { ServiceContext } from '../../kernel/context.js';
import { errorOfRow, maxErrorsListed, type RowOutcome } from '../../records/csv/import-tally.js';
import { rowsBelow } from '../../records/csv/open-csv.js';
import type { CsvRow } from '../../records/csv/parse-csv.js';
import { runImport } from '../../records/csv/run-import.js';
import { importMemberRows } from '../members/transfer/import-batch.js';
import type { MemberRowOutcome } from '../members/transfer/member-import.js';
import { rowsInBatch } from '../members/transfer/plan-import.js';
import { endImport, type ImportRef } from './end-import.js';
import { actorOfImport } from './import-actor.js';
import { importLimits } from './limits.js';

/** Where the file of an import is. */
export interface ImportedFile {
  objectUuid: string;
  bytes: number;
}

/**
 * Counts an attempt at the next rows before it begins, because it may end with the whole process.
 * @returns the file, or the last step of an import that has ended
 */
export async function beginImportAttempt(
  context: ServiceContext,
  ref: ImportRef,
): Promise<ImportedFile | (ImportStep & { kind: 'ended' })> {
  const { db, clock } = context;
  const found = await db.inWorkspace(ref.workspaceId, async (tx) => {
    const asked = await findMemberImport(tx, ref.importId);
    if (asked === undefined || asked.finishedAt !== null) return { asked };
    await addImportAttempts(tx, asked.id, 1);
    return {
      asked,
      file: asked.objectId === null ? undefined : await findImportedObject(tx, asked.objectId),
    };
  });
  const { asked, file } = found;
  if (asked === undefined || asked.finishedAt !== null) return endedAs(asked);
  const age = clock.now().getTime() - asked.createdAt.getTime();
  if (age >= importLimits.maxMs) return failImport(context, ref, 'expired');
  if (asked.attempts >= importLimits.attempts) return failImport(context, ref, 'crashed');
  if (file === undefined) return failImport(context, ref, 'file_missing');
  return { objectUuid: file.uuid, bytes: file.bytes };
}

/** Takes back an attempt that something else ended: a stopping worker, the storage. */
export async function uncountImportAttempt(
  { db }: ServiceContext,
  { workspaceId, importId }: ImportRef,
): Promise<void> {
  await db.inWorkspace(workspaceId, (tx) => addImportAttempts(tx, importId, -1));
}

/** Ends an import early. @returns its last step */
export async function failImport(
  context: ServiceContext,
  ref: ImportRef,
  failureReason: MemberImportFailure,
): Promise<ImportStep & { kind: 'ended' }> {
  await endImport(context, ref, { state: 'failed', failureReason });
  return lastStep(context, ref);
}

interface Slice {
  /** The file of the import. */
  path: string;
  /** Asked after each batch: whether to leave the rest to the next attempt. */
  isOver(): boolean;
  onBatch(rows: { done: number; total: number }): void;
}

/** The import has ended, or another attempt has settled rows, while a batch was written: the batch is rolled back. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Who asked may not import any more: the batch is rolled back. */
class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * Imports the next rows in batches. Each batch is one transaction, which asks for the rights of who asked, writes the rows,
 * and adds them to the progress: after a crash the import goes on with the row that follows the last settled one.
 */
export async function continueImport(
  context: ServiceContext,
  ref: ImportRef,
  { path, isOver, onBatch }: Slice,
): Promise<ImportStep> {
  const { db, clock } = context;
  const asked = await db.readInWorkspace(ref.workspaceId, (tx) => findMemberImport(tx, ref.importId));
  if (asked === undefined || asked.finishedAt !== null) return endedAs(asked);
  const { layout, total, dataTypeIds, newMemberRoleId, blankCells } = asked;
  const settings = {
    columns: layout.filter((name) => name !== null),
    dataTypeIds,
    newMemberRoleId,
    blankCells,
  };
  const progress = new SettledSoFar(asked);

  const begin = async (tx: Tx) => {
    const actor = await actorOfImport(tx, asked, { workspaceUuid: ref.workspaceUuid, now: clock.now() });
    if (actor === undefined) throw new NotAllowed();
    return { actor, settings };
  };
  const settle = async (tx: Tx, settled: SettledRows) => {
    const id = asked.id;
    if (!(await addSettledRows(tx, { id, rowsDone: progress.rowsDone }, settled, clock.now()))) {
      throw new Overtaken();
    }
  };
  const slice = runImport({
    rows: skip(rowsBelow(path, layout), asked.rowsDone),
    total,
    batchSize: rowsInBatch,
    // Batches end between steps of the generator.
    signal: new AbortController().signal,
    onDoubled: () => db.gatherStatistics(),
    async write(rows) {
      let settled: SettledRows | undefined;
      const end = async (tx: Tx, outcomes: readonly MemberRowOutcome[]) => {
        settled = progress.of(rows, outcomes);
        await settle(tx, settled);
      };
      const outcomes = await importMemberRows(context, ref.workspaceId, rows, {
        askedAt: asked.createdAt,
        begin,
        end,
      });
      if (settled !== undefined) progress.add(settled);
      return outcomes;
    },
    async onRefused(row, outcome) {
      const settled = progress.of([row], [outcome]);
      await db.inWorkspace(ref.workspaceId, (tx) => settle(tx, settled));
      progress.add(settled);
    },
  });
  try {
    for await (const _batch of slice) {
      const { rowsDone: done } = progress;
      onBatch({ done, total });
      if (isOver() && done < total) return { kind: 'again', done, total };
    }
  } catch (error) {
    if (error instanceof NotAllowed) return failImport(context, ref, 'not_allowed');
    if (error instanceof Overtaken) {
      const { finishedAt, rowsDone: done } = await readImport(context, ref);
      return finishedAt === null ? { kind: 'again', done, total } : lastStep(context, ref);
    }
    throw error;
  }
  await endImport(context, ref, { state: 'completed' });
  return lastStep(context, ref);
}

/** The progress of an import, as the database has it. */
class SettledSoFar {
  rowsDone: number;
  #failed: number;

  constructor({ rowsDone, failedRows }: MemberImportRow) {
    this.rowsDone = rowsDone;
    this.#failed = failedRows.length;
  }

  /** What these outcomes add to the progress. */
  of(rows: readonly CsvRow[], outcomes: readonly (RowOutcome | MemberRowOutcome)[]): SettledRows {
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const failedRows: number[] = [];
    const errors: string[] = [];
    const createdMembers: number[] = [];
    const updatedMembers: number[] = [];
    for (const [index, { row }] of rows.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) throw new Error('a row of an import has no outcome');
      if (outcome.status === 'failed') {
        if (this.#failed + failedRows.length < maxErrorsListed) errors.push(errorOfRow(row, outcome));
        failedRows.push(row);
        continue;
      }
      counts[outcome.status] += 1;
      if (!('memberId' in outcome)) continue;
      if (outcome.status === 'created') createdMembers.push(outcome.memberId);
      if (outcome.status === 'updated') updatedMembers.push(outcome.memberId);
    }
    return { rows: rows.length, ...counts, failedRows, errors, createdMembers, updatedMembers };
  }

  add({ rows, failedRows }: SettledRows): void {
    this.rowsDone += rows;
    this.#failed += failedRows.length;
  }
}

async function* skip<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let index = 0;
  for await (const item of items) {
    if (index >= count) yield item;
    index += 1;
  }
}

async function readImport({ db }: ServiceContext, { workspaceId, importId }: ImportRef) {
  const found = await db.readInWorkspace(workspaceId, (tx) => findMemberImport(tx, importId));
  if (found === undefined) throw new Error('an import was removed before it had ended');
  return found;
}

async function lastStep(context: ServiceContext, ref: ImportRef): Promise<ImportStep & { kind: 'ended' }> {
  return endedAs(await readImport(context, ref));
}

function endedAs(asked: MemberImportRow | undefined): ImportStep & { kind: 'ended' } {
  if (asked === undefined) return { kind: 'ended', outcome: 'gone', done: 0, total: 0 };
  const { state, failureReason, rowsDone: done, total } = asked;
  return {
    kind: 'ended',
    outcome: state === 'running' ? 'gone' : state,
    ...{ done, total },
    ...(failureReason !== null && { reason: failureReason }),
  };
}
