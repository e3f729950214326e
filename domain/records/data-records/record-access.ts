import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import type { Actor } from '../../kernel/actor.js';
import { NotFound } from '../../lib/errors.js';

/**
 * What a record's access mode opens to members without a permission; those who may read, or write, every record of the
 * type do so whatever it is (docs/decisions/0040-access-modes-and-retirement.md).
 */
export const accessModes = {
  /** The member it is about reads and changes it. */
  own: 0,
  /** The member reads it. */
  readOnly: 1,
  /** Not even the member knows of it. */
  hidden: 2,
  /** Every member of the workspace reads it. */
  shared: 3,
} as const;

type Accessible = Pick<DataRecordRow, 'memberId' | 'accessMode'>;

/** Which records of a type are seen: everyone's, or what one member sees without a permission. */
export interface RecordVisibility {
  /** Its own but for hidden ones, and those shared with every member. Left out: all records. */
  visibleTo?: number;
}

/** What of a type an actor sees: the condition that lists are read with. `seesRecord` says it of one. */
export function visibleRecords(actor: Actor, type: DataTypeRow): RecordVisibility {
  return canReadAll(actor, type) ? {} : { visibleTo: actor.memberId };
}

/** Whether the actor may read every member's records of the type. */
export function canReadAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('data:read') || actor.can(`data:read:${type.slug}`);
}

/** Whether the actor may write every member's records of the type. */
export function canWriteAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('records:write') || actor.can(`data:write:${type.slug}`);
}

/** One's own records, or `data:read` (for this type: `data:read:<slug>`). @throws Forbidden */
export function requireRead(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canReadAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'data:read');
}

/** Whether the actor sees a record: `visibleRecords` says it of many. */
export function seesRecord(actor: Actor, type: DataTypeRow, { memberId, accessMode }: Accessible): boolean {
  if (canReadAll(actor, type) || accessMode === accessModes.shared) return true;
  return memberId === actor.memberId && accessMode !== accessModes.hidden;
}

/** Whether a record is the actor's own, and the actor is not to know of it. */
export function isHiddenFrom(actor: Actor, type: DataTypeRow, record: Accessible): boolean {
  return record.memberId === actor.memberId && !seesRecord(actor, type, record);
}

/** The record, if the actor may read it. @throws NotFound for one's own that is hidden, Forbidden for others' */
export function requireRecord(actor: Actor, type: DataTypeRow, record: Accessible): void {
  if (seesRecord(actor, type, record)) return;
  if (isHiddenFrom(actor, type, record)) throw new NotFound('Data record');
  actor.require('data:read');
}

/** One's own records, or `records:write` (for this type: `data:write:<slug>`). @throws Forbidden */
export function requireWrite(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canWriteAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'records:write');
}

/** `requireWrite` for a record there is. @throws NotFound for one's own that is hidden, Forbidden */
export function requireChange(actor: Actor, type: DataTypeRow, record: Accessible): void {
  if (canWriteAll(actor, type)) return;
  actor.requireSelfOr(record.memberId, 'records:write');
  if (isHiddenFrom(actor, type, record)) throw new NotFound('Data record');
  if (record.accessMode !== accessModes.own) actor.require('records:write');
}

/**
 * Who writes everyone's records may name any external id; others one that is free, or that their own record has. That
 * another member has it and that it is of one that is hidden look the same.
 *
 * @throws Forbidden
 */
export function requireExternalId(actor: Actor, type: DataTypeRow, match: Accessible | undefined): void {
  if (match === undefined || canWriteAll(actor, type)) return;
  const isOwn = match.memberId === actor.memberId && seesRecord(actor, type, match);
  if (!isOwn) actor.require('records:write');
}
