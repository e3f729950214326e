import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { Actor } from '../../kernel/actor.js';
import { NotFound } from '../../lib/errors.js';

/**
 * What a record's access mode allows members who lack a permission. An actor that may read, or write, all records of
 * the type may do so in every mode (docs/decisions/0040-access-modes-and-retirement.md).
 */
export const accessModes = {
  /** The record's member reads and changes it. */
  own: 0,
  /** The record's member reads it. */
  readOnly: 1,
  /** Not visible, even to the record's member. */
  hidden: 2,
  /** Every member of the workspace reads it. */
  shared: 3,
} as const;

type Accessible = Pick<DataRecordRow, 'memberId' | 'accessMode'>;

/** The records of a type that are visible: all of them, or those that one member sees without a permission. */
export interface RecordVisibility {
  /** The id of a member; visible are the shared records, and its own that are not hidden. Absent: all records. */
  visibleTo?: number;
}

/** Returns the visibility condition for lists; `seesRecord` is the same rule for one record. */
export function visibleRecords(actor: Actor, type: DataTypeRow): RecordVisibility {
  return canReadAll(actor, type) ? {} : { visibleTo: actor.memberId };
}

export function canReadAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('data:read') || actor.can(`data:read:${type.slug}`);
}

export function canWriteAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('records:write') || actor.can(`data:write:${type.slug}`);
}

/**
 * Requires that the records are the actor's own, or `data:read` (for this type: `data:read:<slug>`).
 *
 * @throws Forbidden
 */
export function requireRead(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canReadAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'data:read');
}

/** Whether the actor sees a record; `visibleRecords` is the same rule for lists. */
export function seesRecord(actor: Actor, type: DataTypeRow, { memberId, accessMode }: Accessible): boolean {
  if (canReadAll(actor, type) || accessMode === accessModes.shared) return true;
  return memberId === actor.memberId && accessMode !== accessModes.hidden;
}

/** Whether the record is the actor's own but hidden from it. */
export function isHiddenFrom(actor: Actor, type: DataTypeRow, record: Accessible): boolean {
  return record.memberId === actor.memberId && !seesRecord(actor, type, record);
}

/** Requires read access. @throws NotFound for the actor's own hidden record, Forbidden for other members' records */
export function requireRecord(actor: Actor, type: DataTypeRow, record: Accessible): void {
  if (seesRecord(actor, type, record)) return;
  if (isHiddenFrom(actor, type, record)) throw new NotFound('Data record');
  actor.require('data:read');
}

/**
 * Requires that the records are the actor's own, or `records:write` (for this type: `data:write:<slug>`).
 *
 * @throws Forbidden
 */
export function requireWrite(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canWriteAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'records:write');
}

/** `requireWrite` for an existing record. @throws NotFound for the actor's own hidden record, Forbidden */
export function requireChange(actor: Actor, type: DataTypeRow, record: Accessible): void {
  if (canWriteAll(actor, type)) return;
  actor.requireSelfOr(record.memberId, 'records:write');
  if (isHiddenFrom(actor, type, record)) throw new NotFound('Data record');
  if (record.accessMode !== accessModes.own) actor.require('records:write');
}

/**
 * Requires that the actor may use an external id. An actor that may write all records of the type may use any; others
 * may use one that is free or that belongs to a record of their own. Another member's record and the actor's own hidden
 * record give the same error, so that a hidden record is not revealed.
 *
 * @throws Forbidden
 */
export function requireExternalId(actor: Actor, type: DataTypeRow, match: Accessible | undefined): void {
  if (match === undefined || canWriteAll(actor, type)) return;
  const isOwn = match.memberId === actor.memberId && seesRecord(actor, type, match);
  if (!isOwn) actor.require('records:write');
}
