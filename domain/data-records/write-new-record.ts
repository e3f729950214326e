import type { Tx } from '../../db/database.js';
import { leaveToCommit } from '../../db/leave-to-commit.js';
import type { DataRecordRow } from '../../db/queries/data-records.js';
import type { DataTypeRow } from '../../db/queries/data-types.js';
import { insertEvents } from '../../db/queries/events.js';
import { insertNewRecord } from '../../db/queries/insert-new-record.js';
import type { DomainError } from '../errors.js';
import { dataRecordEvents } from '../events/data-record-events.js';
import { eventToStore } from '../events/write-events.js';
import { WritePlan } from './plan-writes.js';
import { savedRow } from './saved-row.js';
import { valuesOf } from './searchable-values.js';
import type { RecordToSave, Writer } from './writer.js';

const references: readonly string[] = ['member', 'file'];

/** Whether a new record can neither meet another one nor name anything that has to be looked up. */
export function isIndependent({ isCollection, fields }: DataTypeRow, { externalId }: RecordToSave): boolean {
  if (!isCollection || externalId != null) return false;
  return fields.every(({ unique, fieldType }) => unique !== true && !references.includes(fieldType));
}

/**
 * Writes a new record for which `isIndependent` holds, by the rules of `writeRecords`: with its history, its searchable
 * values, its events and pokes of the runs that collect it. All of it goes out in one message with the commit
 * (docs/decisions/0083-a-single-record.md).
 *
 * @param found the id of the record, why the workspace stores no more, and the event types that rules wait for
 * @throws why the item is refused
 */
export function writeNewRecord(
  tx: Tx,
  writer: Writer,
  type: DataTypeRow,
  item: RecordToSave,
  found: { newId: number; refusal: DomainError | undefined; subscribed: ReadonlySet<string> },
): DataRecordRow {
  const admit: Writer['admit'] = (...asked) => {
    writer.admit?.(...asked);
    if (found.refusal !== undefined) throw found.refusal;
  };
  const outcome = new WritePlan({ ...writer, admit }, type, [], [found.newId]).add(item);
  const record = savedRow(outcome());
  const events = dataRecordEvents(type, record, 'created').filter(({ eventType }) =>
    found.subscribed.has(eventType),
  );
  leaveToCommit(
    tx,
    Promise.all([
      insertNewRecord(tx, record, valuesOf(type, record), writer.actorMemberId),
      events.length > 0 && insertEvents(tx, events.map(eventToStore), writer.now),
    ]),
  );
  return record;
}
