import { findLastingAccess } from '../../../db/people/member-access.js';
import type { MemberImportRow } from '../../../db/people/member-imports.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import { allDataTypes } from '../../../db/records/data-types.js';
import type { Tx } from '../../../db/tx.js';
import { Actor } from '../../kernel/actor.js';
import { credentialIds } from '../../kernel/credential-ids.js';
import { Forbidden, InvalidInput } from '../../lib/errors.js';
import { chooseAssignableRole } from '../members/assignable-role.js';
import { requireWritesAll } from '../members/transfer/plan-import.js';

/**
 * Who has asked for an import, with the rights of now.
 * @returns undefined: the member, or the credential by which it asked, may not import this file any more
 */
export async function actorOfImport(
  tx: Tx,
  asked: MemberImportRow,
  { workspaceUuid, now }: { workspaceUuid: string; now: Date },
): Promise<Actor | undefined> {
  const { memberId, credentialKind: kind, credentialId: id, scopes, dataTypeIds, newMemberRoleId } = asked;
  const [access, roles, types] = await Promise.all([
    findLastingAccess(tx, {
      memberId,
      ...credentialIds({ kind, id }),
      scopes: ['members:write'],
      now,
    }),
    selectMemberRoles(tx),
    allDataTypes(tx),
  ]);
  if (access === undefined) return undefined;
  const { workspaceId } = tx;
  const ids = { workspaceId, workspaceUuid, memberId };
  const actor = new Actor({ ...ids, ...access, isKnown: true, credential: { kind, id, scopes } });
  try {
    actor.require('members:write');
    chooseAssignableRole(roles, actor, newMemberRoleId);
    requireWritesAll(
      actor,
      types.filter((type) => dataTypeIds.includes(type.id)),
    );
    return actor;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof InvalidInput) return undefined;
    throw error;
  }
}
