import type { DataRecordRow } from '../../db/queries/data-records.js';
import type { DataTypeRow } from '../../db/queries/data-types.js';
import type { Actor } from '../actor.js';

/** Whether the actor may read every member's records of the type. */
export function canReadAll(actor: Actor, type: DataTypeRow): boolean {
  return actor.can('data:read') || actor.can(`data:read:${type.slug}`);
}

/** One's own records, or `data:read` (for this type: `data:read:<slug>`). @throws Forbidden */
export function requireRead(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canReadAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'data:read');
}

/** Whether the actor may write every member's records of the type. */
export function canWriteAll(actor: Actor, type: DataTypeRow): boolean {
  return actor.can('records:write') || actor.can(`data:write:${type.slug}`);
}

/** One's own records, or `records:write` (for this type: `data:write:<slug>`). @throws Forbidden */
export function requireWrite(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!canWriteAll(actor, type)) actor.requireSelfOr(ownerMemberId, 'records:write');
}

/**
 * Who writes everyone's records may name any external id; others only one that their own record has. That another
 * member has it and that nobody has it look the same (docs/decisions/0020).
 *
 * @throws Forbidden
 */
export function requireExternalId(
  actor: Actor,
  type: DataTypeRow,
  match: Pick<DataRecordRow, 'memberId'> | undefined,
): void {
  if (match?.memberId !== actor.memberId && !canWriteAll(actor, type)) actor.require('records:write');
}
