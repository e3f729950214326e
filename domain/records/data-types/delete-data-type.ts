import { lockMemberRoles, patchMemberRole } from '../../../db/people/member-roles.js';
import { countDataRecords } from '../../../db/records/data-records.js';
import { lockDataType, removeDataType } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import type { CommandContext } from '../../kernel/context.js';
import { Conflict, NotFound } from '../../lib/errors.js';

/**
 * Deletes a data type that has no records, and removes the permissions for it from all roles: a later type with the
 * same slug would inherit them, and only actors that hold them could edit a role that kept one.
 * @throws NotFound, Forbidden, Conflict `data_type_in_use`
 */
export async function deleteDataType({ db, clock, actor }: CommandContext, id: number): Promise<void> {
  actor.require('datatypes:write');
  await db.inWorkspace(actor.workspaceId, async (tx) => {
    // Lock roles before the type, in the same order as a change of roles.
    await lockMemberRoles(tx);
    const type = await lockDataType(tx, id);
    if (type === undefined) throw new NotFound('Data type');
    const records = await countDataRecords(tx, id);
    if (records > 0) throw new Conflict('data_type_in_use', `The data type has ${records} records.`);
    await removeDataType(tx, id);
    await withdrawPermissions(tx, [`data:read:${type.slug}`, `data:write:${type.slug}`], clock.now());
  });
}

async function withdrawPermissions(tx: Tx, withdrawn: readonly string[], now: Date): Promise<void> {
  for (const { id, permissions } of await lockMemberRoles(tx)) {
    const left = permissions.filter((permission) => !withdrawn.includes(permission));
    if (left.length < permissions.length) await patchMemberRole(tx, id, { permissions: left }, now);
  }
}
