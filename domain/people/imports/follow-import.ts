import { setTimeout as pause } from 'node:timers/promises';
import {
  findRequestedImport,
  type MemberImportFailure,
  type MemberImportRow,
} from '../../../db/people/member-imports.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, Failed, Forbidden, NotFound } from '../../lib/errors.js';
import type { ImportProgress } from '../../records/csv/import-tally.js';
import type { MemberImportResult } from '../members/transfer/import-members.js';

const checkEveryMs = 500;

/** The import of a request that the actor has made. @throws NotFound */
export async function getMemberImport(
  { db, actor }: CommandContext,
  requestUuid: string,
): Promise<MemberImportRow> {
  const asked = { memberId: actor.memberId, uuid: requestUuid };
  const found = await db.readInWorkspace(actor.workspaceId, (tx) => findRequestedImport(tx, asked));
  if (found === undefined) throw new NotFound('Import');
  return found;
}

/**
 * Yields how far an import is until it has ended, and then its result. The import goes on when nobody follows it.
 * @throws NotFound, as `resultOfImport`, and the reason of the signal
 */
export async function* followMemberImport(
  context: CommandContext,
  requestUuid: string,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress | MemberImportResult> {
  for (;;) {
    signal.throwIfAborted();
    const found = await getMemberImport(context, requestUuid);
    if (found.finishedAt !== null) {
      yield resultOfImport(found);
      return;
    }
    yield { type: 'progress', current: found.rowsDone, ...countsOf(found) };
    await pause(checkEveryMs, undefined, { signal }).catch(() => {});
  }
}

const whyFailed: Record<Exclude<MemberImportFailure, 'not_allowed'>, string> = {
  expired: 'it took longer than a day',
  file_missing: 'its file is not in the storage any more',
  crashed: 'the next rows could not be imported',
  member_erased: 'the data of the member who asked was erased',
};

/**
 * What became of an import that has ended.
 * @throws Conflict `import_cancelled`, Forbidden, Failed `import_failed`: rows may have been written before
 */
export function resultOfImport(ended: MemberImportRow): MemberImportResult {
  const { state, failureReason, rowsDone, total, errors, failedRows, columnsPassedOver } = ended;
  const place = `after ${rowsDone} of ${total} rows`;
  if (state === 'cancelled') throw new Conflict('import_cancelled', `The import was cancelled ${place}.`);
  if (failureReason === 'not_allowed') {
    const why = `The import has ended ${place}, as the member or its credential may not import them any more.`;
    throw new Forbidden('members:write', why);
  }
  if (failureReason !== null) {
    throw new Failed('import_failed', `The import has ended ${place}: ${whyFailed[failureReason]}.`);
  }
  const { createdMembers } = ended;
  const updatedMembers = [...new Set(ended.updatedMembers)];
  const lists = { errors, failedRows, columnsPassedOver, createdMembers, updatedMembers };
  return { type: 'complete', ...countsOf(ended), ...lists };
}

function countsOf({ total, created, updated, unchanged, failedRows }: MemberImportRow) {
  const success = created + updated + unchanged;
  return { total, success, failed: failedRows.length, created, updated, unchanged };
}
