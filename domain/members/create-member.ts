import { replaceMemberLabels } from '../../db/queries/member-labels.js';
import { findMemberDetails, insertMember, type MemberDetails } from '../../db/queries/members.js';
import type { CommandContext } from '../context.js';
import { InvalidInput, NotFound } from '../errors.js';
import { assignableRole } from './assignable-role.js';
import { checkAttributes, type MemberAttributes } from './member-attributes.js';
import { reportingTakenIdentifier } from './reporting-taken-identifier.js';

/**
 * Adds a person to the workspace. No account is linked: an identifier leads to an account only once that account
 * has proved it (design section 8).
 *
 * @throws Forbidden, InvalidInput
 */
export async function createMember(context: CommandContext, input: MemberAttributes): Promise<MemberDetails> {
  const { db, clock, actor } = context;
  actor.require('members:write');
  if ([input.name, input.email, input.phone, input.externalId].every((value) => value == null)) {
    throw InvalidInput.field('', 'Give at least one of name, email, phone and externalId.');
  }
  return reportingTakenIdentifier(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const { changes, errors } = await checkAttributes(tx, context, input);
      if (errors.length > 0) throw InvalidInput.fields(errors);
      const role = await assignableRole(tx, actor, input.memberRoleId);
      const values = { ...emptyMember, ...changes, kind: 'human' as const, memberRoleId: role.id };
      const { id } = await insertMember(tx, values, clock.now());
      await replaceMemberLabels(tx, id, input.labelIds ?? []);
      const created = await findMemberDetails(tx, id);
      if (created === undefined) throw new NotFound('Member');
      return created;
    }),
  );
}

const emptyMember = {
  name: null,
  email: null,
  phone: null,
  dateOfBirth: null,
  description: null,
  externalId: null,
  locale: null,
  notifyEmail: true,
  notifySms: true,
  notifyVoice: true,
};
