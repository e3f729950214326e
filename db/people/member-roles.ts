import { WorkflowDefinitionRoleModel } from '../definitions/models/workflow-definition.js';
import type { Tx } from '../tx.js';
import { MemberModel } from './models/member.js';
import { MemberRoleModel, type MemberRoleRow } from './models/member-role.js';

export type { MemberRoleRow } from './models/member-role.js';

export type MemberRoleValues = Pick<MemberRoleRow, 'name' | 'useAdmin' | 'manageWorkspace' | 'permissions'>;

/** Lists all roles in the order of their creation: new members get the first non-admin one. */
export async function selectMemberRoles(tx: Tx): Promise<MemberRoleRow[]> {
  return MemberRoleModel.where(tx, 'true order by id');
}

export async function findMemberRole(tx: Tx, id: number): Promise<MemberRoleRow | undefined> {
  return MemberRoleModel.find(tx, id);
}

export async function insertMemberRole(tx: Tx, values: MemberRoleValues, now: Date): Promise<MemberRoleRow> {
  return MemberRoleModel.insert(tx, { ...values, createdAt: now, updatedAt: now });
}

export async function patchMemberRole(
  tx: Tx,
  id: number,
  changes: Partial<MemberRoleValues>,
  now: Date,
): Promise<MemberRoleRow | undefined> {
  const [row] = await MemberRoleModel.updateReturning(tx, { ...changes, updatedAt: now }, 'id = ?', [id]);
  return row;
}

export async function removeMemberRole(tx: Tx, id: number): Promise<void> {
  await MemberRoleModel.deleteWhere(tx, 'id = ?', [id]);
}

/** Locks all roles, so that two changes cannot each remove what the other relied on. Members can still be inserted. */
export async function lockMemberRoles(tx: Tx): Promise<MemberRoleRow[]> {
  return MemberRoleModel.where(tx, 'true order by id for no key update');
}

/** Keeps the workspace's roles from changing. Several transactions can hold this lock. */
export async function pinMemberRoles(tx: Tx): Promise<MemberRoleRow[]> {
  return MemberRoleModel.where(tx, 'true order by id for share');
}

export interface MemberRoleUses {
  members: number;
  /** Workflow definitions that are limited to certain roles, including this one. */
  definitions: number;
}

export async function countMemberRoleUses(tx: Tx, id: number): Promise<MemberRoleUses> {
  const [members, definitions] = await Promise.all([
    MemberModel.count(tx, 'member_role_id = ? and deleted_at is null', [id]),
    WorkflowDefinitionRoleModel.count(tx, 'member_role_id = ?', [id]),
  ]);
  return { members, definitions };
}

/** Moves deleted members to another role: they keep a role for the record, and this one is about to be deleted. */
export async function moveDeletedMembers(tx: Tx, fromRoleId: number, toRoleId: number): Promise<void> {
  const deletedOnes = 'member_role_id = ? and deleted_at is not null';
  await MemberModel.updateWhere(tx, { memberRoleId: toRoleId }, deletedOnes, [fromRoleId]);
}
