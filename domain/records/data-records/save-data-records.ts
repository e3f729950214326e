import { findMembers } from '../../../db/people/members.js';
import { pinDataType } from '../../../db/records/data-types.js';
import type { CommandContext } from '../../kernel/context.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { type FieldError, InvalidInput, NotFound } from '../../lib/errors.js';
import { settleInOrder } from '../../lib/settle-in-order.js';
import { authorizeItems } from './authorize-items.js';
import type { NewRecord } from './save-data-record.js';
import { type SavedRecord, writeRecords } from './write-records.js';

export type RecordOfBatch = Omit<NewRecord, 'assignmentTaskId'>;

/** What became of one record of a batch, by its place in it. */
export interface BatchResult {
  index: number;
  status: SavedRecord['status'];
  id?: number;
  errors?: FieldError[];
}

/** What became of a batch: how many of each, and each in its order. */
export interface BatchOutcome {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  results: BatchResult[];
}

/**
 * Writes up to a thousand records, each as an upsert by its external id (or a member's one record) and else as a new
 * one. What is refused is told by its place, and the others are written; `atomic` writes all of them or none.
 *
 * @throws NotFound for the data type; InvalidInput, where atomic, pointing at `/records/<place>/…`
 */
export async function saveDataRecords(
  context: CommandContext,
  dataTypeId: number,
  records: readonly RecordOfBatch[],
  { atomic }: { atomic: boolean },
): Promise<BatchOutcome> {
  const { db, actor, clock } = context;
  const items = records.map((record) => ({
    ...record,
    memberId: record.memberId ?? actor.memberId,
    memberIsDefault: record.memberId === undefined,
  }));
  const memberIds = [...new Set(items.map(({ memberId }) => memberId))];
  return db.inWorkspace(actor.workspaceId, async (tx) => {
    const [type, defaultRegion, members] = await settleInOrder(
      pinDataType(tx, dataTypeId),
      workspaceRegion(context, tx),
      findMembers(tx, memberIds),
    );
    if (type === undefined) throw new NotFound('Data type');
    const admit = authorizeItems(actor, type, {
      members: new Map(members.map((member) => [member.id, member])),
      membersOfTasks: new Map(),
      changesSingle: true,
    });
    const writer = {
      actorMemberId: actor.memberId,
      now: clock.now(),
      defaultRegion,
      admit,
      followsExternalIds: true,
    };
    const saved = await writeRecords(tx, writer, type, items);
    const outcome = outcomeOf(saved);
    if (atomic && outcome.failed > 0) throw refusalOf(outcome.results);
    return outcome;
  });
}

function outcomeOf(saved: readonly SavedRecord[]): BatchOutcome {
  const count = (status: SavedRecord['status']) => saved.filter((one) => one.status === status).length;
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results: saved.map((one, index) =>
      one.status === 'failed'
        ? { index, status: one.status, errors: errorsOf(one) }
        : { index, status: one.status, id: one.record.id },
    ),
  };
}

/** What was refused as a whole points at the whole. */
function errorsOf({ errors, reason }: Extract<SavedRecord, { status: 'failed' }>): FieldError[] {
  return errors.length > 0 ? errors : [{ pointer: '', message: reason.message }];
}

function refusalOf(results: readonly BatchResult[]): InvalidInput {
  const errors = results.flatMap(({ index, errors = [] }) =>
    errors.map(({ pointer, message }) => ({ pointer: `/records/${index}${pointer}`, message })),
  );
  return InvalidInput.fields(errors);
}
