import { findMembers } from '../../../../db/people/members.js';
import { type DataTypeRow, pinDataType } from '../../../../db/records/data-types.js';
import type { CommandContext } from '../../../kernel/context.js';
import { workspaceRegion } from '../../../kernel/workspace-region.js';
import { type FieldError, InvalidInput, NotFound } from '../../../lib/errors.js';
import { settleInOrder } from '../../../lib/settle-in-order.js';
import { fileIdsIn, recordFileLimits } from '../../field-values.js';
import { upsertOptions } from '../record-access.js';
import { itemOf, type NewRecord } from '../save-data-record.js';
import { type SavedRecord, writeRecords } from './write-records.js';

interface BatchResult {
  index: number;
  status: SavedRecord['status'];
  id?: number;
  errors?: FieldError[];
}

type BatchOutcome = Record<SavedRecord['status'], number> & { results: BatchResult[] };

/**
 * Creates or updates up to a thousand records: each one is an upsert by its external id, or of a member's single
 * record, and otherwise a new record. A refused record is reported, and the others are written; with `atomic`, all or
 * none are.
 * @throws NotFound for the data type, InvalidInput for too many files; with `atomic` also InvalidInput at `/records/<index>/…`
 */
export async function saveDataRecords(
  context: CommandContext,
  dataTypeId: number,
  records: readonly Omit<NewRecord, 'assignmentTaskId'>[],
  { atomic }: { atomic: boolean },
): Promise<BatchOutcome> {
  const { db, actor } = context;
  const items = records.map((record) => itemOf(context, record));
  const memberIds = [...new Set(items.map(({ memberId }) => memberId))];
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const [type, defaultRegion, members] = await settleInOrder(
      pinDataType(tx, dataTypeId),
      workspaceRegion(context, tx),
      findMembers(tx, memberIds),
    );
    if (type === undefined) throw new NotFound('Data type');
    requireFewFiles(type, records);
    const membersById = new Map(members.map((member) => [member.id, member]));
    const options = upsertOptions(context, type, defaultRegion, ({ memberId }) => ({
      member: membersById.get(memberId),
      changesSingle: true,
    }));
    const outcome = outcomeOf(await writeRecords(tx, options, type, items));
    if (atomic && outcome.failed > 0) throw refusalOf(outcome.results);
    return outcome;
  });
}

/** Each file costs look-ups in several tables: without a bound, a batch would hold its locks for seconds. */
function requireFewFiles({ fields }: DataTypeRow, records: readonly Pick<NewRecord, 'fieldValues'>[]): void {
  const { ofBatch } = recordFileLimits;
  const files = records.reduce((sum, { fieldValues }) => sum + fileIdsIn(fields, fieldValues).length, 0);
  if (files > ofBatch) throw InvalidInput.field('/records', `A batch names at most ${ofBatch} files.`);
}

function outcomeOf(saved: readonly SavedRecord[]): BatchOutcome {
  const outcome: BatchOutcome = { created: 0, updated: 0, unchanged: 0, failed: 0, results: [] };
  for (const [index, one] of saved.entries()) {
    const { status } = one;
    outcome[status] += 1;
    outcome.results.push(
      one.status === 'failed'
        ? { index, status, errors: errorsOf(one) }
        : { index, status, id: one.record.id },
    );
  }
  return outcome;
}

/** A refusal without field errors points at the whole record. */
function errorsOf({ errors, reason }: Extract<SavedRecord, { status: 'failed' }>): FieldError[] {
  return errors.length > 0 ? errors : [{ pointer: '', message: reason.message }];
}

function refusalOf(results: readonly BatchResult[]): InvalidInput {
  const errors = results.flatMap(({ index, errors = [] }) =>
    errors.map(({ pointer, message }) => ({ pointer: `/records/${index}${pointer}`, message })),
  );
  return InvalidInput.fields(errors);
}
