import { recordAudit } from '../../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../../kernel/context.js';
import type { FileImportResult, ImportProgress } from '../../../records/csv/import-tally.js';
import { type ImportManner, runImport, writingTo } from '../../../records/csv/run-import.js';
import { importMemberRows } from './import-batch.js';
import { type FileToImport, planMemberImport, rowsInBatch } from './plan-import.js';

export interface MembersToImport extends FileToImport, ImportManner {
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
  { signal, dryRun = false, failedRowsFile = false, ...file }: MembersToImport,
): AsyncGenerator<ImportProgress | MemberImportResult> {
  const { db, actor } = context;
  const { settings, columnsPassedOver, total, rows } = await planMemberImport(context, file);
  if (!dryRun) {
    await db.inWorkspace(actor.workspaceId, async (tx) => recordAudit(tx, context, 'members:imported'));
  }
  const askedAt = context.clock.now();
  const members = { created: new Set<number>(), updated: new Set<number>(), unchanged: new Set<number>() };
  const result = yield* runImport({
    rows: rows(),
    total,
    batchSize: rowsInBatch,
    signal,
    fileOfFailed: failedRowsFile ? settings.columns : undefined,
    ...writingTo(context, { dryRun }, async (batch, within) => {
      const begin = async () => ({ actor, settings });
      const ofBatch = { ...context, db: within };
      const outcomes = await importMemberRows(ofBatch, actor.workspaceId, batch, { begin, askedAt });
      for (const outcome of outcomes) {
        if (outcome.status !== 'failed') members[outcome.status].add(outcome.memberId);
      }
      return outcomes;
    }),
  });
  // The members that a dry run would create do not exist, nor do later rows find them.
  const createdMembers = dryRun ? [] : [...members.created];
  const updatedMembers = [...members.updated].filter((id) => !dryRun || !members.created.has(id));
  yield { ...result, columnsPassedOver, createdMembers, updatedMembers };
}
