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

/** One's own records, or `records:write` (for this type: `data:write:<slug>`). @throws Forbidden */
export function requireWrite(actor: Actor, type: DataTypeRow, ownerMemberId: number): void {
  if (!actor.can(`data:write:${type.slug}`)) actor.requireSelfOr(ownerMemberId, 'records:write');
}
