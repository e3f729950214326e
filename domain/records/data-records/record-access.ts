import type { MemberRow } from '../../../db/people/members.js';
import type { DataRecordRow } from '../../../db/records/data-records.js';
import type { DataTypeRow } from '../../../db/records/data-types.js';
import { giverOf } from '../../files/file-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { asPerson } from '../../kernel/require-person.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import type { FoundRecord, RecordToSave, WriteOptions } from './writing/write-options.js';

/**
 * What a record's access mode allows members without a permission (docs/decisions/0040-access-modes-and-retirement.md).
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

type Accessible = Pick<DataRecordRow, 'memberId' | 'accessMode' | 'updatedAt'>;

export function canReadAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('data:read') || actor.can(`data:read:${type.slug}`);
}

export function canWriteAll(actor: Actor, type: Pick<DataTypeRow, 'slug'>): boolean {
  return actor.can('records:write') || actor.can(`data:write:${type.slug}`);
}

/** Requires that the records are the actor's own, or the permission to read all of the type. @throws Forbidden */
export function requireRead(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canReadAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'data:read');
}

/** Whether the actor sees a record; the criterion `visibleTo` is the same rule for lists. */
export function seesRecord(
  actor: Actor,
  type: DataTypeRow,
  { memberId, accessMode, updatedAt }: Accessible,
): boolean {
  if (canReadAll(actor, type) || accessMode === accessModes.shared) return true;
  return memberId === actor.memberId && accessMode !== accessModes.hidden && !actor.isKeptFrom(updatedAt);
}

export function isHiddenFrom(actor: Actor, type: DataTypeRow, record: Accessible): boolean {
  return record.memberId === actor.memberId && !seesRecord(actor, type, record);
}

/** Requires read access. @throws NotFound for the actor's own hidden record, Forbidden for other members' records */
export function requireRecord(actor: Actor, type: DataTypeRow, record: Accessible): void {
  if (seesRecord(actor, type, record)) return;
  if (isHiddenFrom(actor, type, record)) throw new NotFound('Data record');
  actor.require('data:read');
}

/** Requires that the records are the actor's own, or the permission to write all of the type. @throws Forbidden */
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
 * Requires that an external id is free or of the actor's own record, unless the actor may write all. A hidden record of
 * the actor gives the same error as another member's, so that it is not revealed. @throws Forbidden
 */
export function requireExternalId(actor: Actor, type: DataTypeRow, match: Accessible | undefined): void {
  if (match === undefined || canWriteAll(actor, type)) return;
  const isOwn = match.memberId === actor.memberId && seesRecord(actor, type, match);
  if (!isOwn) actor.require('records:write');
}

/** What an item refers to, as far as it exists. */
export interface NamedByItem {
  member: Pick<MemberRow, 'kind'> | undefined;
  /** The member that the task's assignment belongs to. */
  ownerOfTask?: number | undefined;
  /** Whether an item without a known external id may change the member's single record; if not, it is a duplicate. */
  changesSingle: boolean;
}

/** Options to create or update records as the actor; `named` returns what an item refers to. */
export function upsertOptions(
  { actor, clock }: CommandContext,
  type: DataTypeRow,
  defaultRegion: string,
  named: (item: RecordToSave) => NamedByItem,
): WriteOptions {
  return {
    actorMemberId: actor.memberId,
    now: clock.now(),
    defaultRegion,
    fileGiver: giverOf(actor),
    authorize: (item, found) => authorizeItem(actor, type, item, found, named(item)),
    followsExternalIds: true,
  };
}

/**
 * Checks whether an actor may write an item. Permissions are checked before existence, so that the error for a thing
 * that the actor may not see is the same as for one that does not exist (docs/decisions/0020).
 * @throws Forbidden, NotFound, InvalidInput
 */
export function authorizeItem(
  actor: Actor,
  type: DataTypeRow,
  item: RecordToSave,
  found: FoundRecord | undefined,
  { member, ownerOfTask, changesSingle }: NamedByItem,
): void {
  const { memberId, externalId, assignmentTaskId, accessMode } = item;
  const known = found?.by === 'externalId' ? found.record : undefined;
  const moves = known !== undefined && item.memberIsDefault !== true && known.memberId !== memberId;
  requireWrite(actor, type, memberId);
  if (accessMode !== undefined && !canWriteAll(actor, type)) actor.require('records:write');
  if (externalId != null) requireExternalId(actor, type, known);
  if (known === undefined || moves) asPerson(member);
  if (found?.by === 'single' && !changesSingle) {
    const message =
      'The member has a record of this type already, and the type holds one a member: update it.';
    throw InvalidInput.field('/memberId', message, 'duplicate');
  }
  if (found !== undefined) requireChange(actor, type, found.record);
  const owner = moves ? memberId : (found?.record.memberId ?? memberId);
  if (assignmentTaskId != null && ownerOfTask !== owner) {
    throw InvalidInput.field('/assignmentTaskId', "This is not a task of the member's assignments.");
  }
}
