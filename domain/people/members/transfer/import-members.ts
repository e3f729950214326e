import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import type { FileImportResult, ImportProgress } from '../../../records/csv/import-tally.js';
import { runImport } from '../../../records/csv/run-import.js';
import { importMemberRows } from './import-batch.js';
import { type FileToImport, planMemberImport, rowsInBatch } from './plan-import.js';

export interface MembersToImport extends FileToImport {
  /** Ends the import after the current batch. */
  signal: AbortSignal;
}

export interface MemberImportResult extends FileImportResult {
  createdMembers: number[];
  updatedMembers: number[];
}

/**
 * Each batch is a transaction, so that an interrupted import can be repeated (specification, member import). @throws
 * Forbidden, InvalidInput before the first progress is yielded
 */
export async function* importMembers(
  context: CommandContext,
  { signal, ...file }: MembersToImport,
): AsyncGenerator<ImportProgress | MemberImportResult> {
  const { db, actor } = context;
  const { settings, columnsPassedOver, total, rows } = await planMemberImport(context, file);
  await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'members:imported'));
  const askedAt = context.clock.now();
  const members = { created: new Set<number>(), updated: new Set<number>(), unchanged: new Set<number>() };
  const result = yield* runImport({
    rows: rows(),
    total,
    batchSize: rowsInBatch,
    signal,
    onDoubled: () => db.gatherStatistics(),
    write: async (batch) => {
      const begin = async () => ({ actor, settings });
      const outcomes = await importMemberRows(context, actor.workspaceId, batch, { begin, askedAt });
      for (const outcome of outcomes) {
        if (outcome.status !== 'failed') members[outcome.status].add(outcome.memberId);
      }
      return outcomes;
    },
  });
  const [createdMembers, updatedMembers] = [[...members.created], [...members.updated]];
  yield { ...result, columnsPassedOver, createdMembers, updatedMembers };
}
