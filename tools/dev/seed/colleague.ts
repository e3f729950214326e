import type { CommandContext } from '../../../domain/kernel/context.js';
import type { Scope } from '../../../domain/kernel/scopes.js';
import { createMemberRole } from '../../../domain/people/member-roles/create-member-role.js';
import { createMember } from '../../../domain/people/members/create-member.js';
import { findOrCreatePerson } from './people.js';

export const colleagueEmail = 'colleague@clinic.example';

/** Of who answers chats (docs/desk.md). */
const permissions: Scope[] = [
  'members:read',
  'chats:read',
  'chats:write',
  'chats:admin',
  'assignments:read',
  'assignments:write',
  'data:read',
  'datatypes:read',
  'files:read',
];

/** Creates a colleague who answers the clinic's chats, unless there is one. */
export async function ensureColleague(context: CommandContext): Promise<void> {
  const { db, actor } = context;
  const account = await findOrCreatePerson(db, 'Demo Colleague', colleagueEmail);
  const known = await db.identity.memberships.findByAccount(actor.workspaceId, account.id);
  if (known !== undefined) return;
  const role = await createMemberRole(context, { name: 'Front desk', permissions });
  const member = await createMember(context, {
    name: 'Demo Colleague',
    email: colleagueEmail,
    memberRoleId: role.id,
  });
  await db.identity.memberships.add({
    workspaceId: actor.workspaceId,
    memberId: member.id,
    accountId: account.id,
  });
}
