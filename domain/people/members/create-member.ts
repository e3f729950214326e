import { pinMemberLabels } from '../../../db/people/member-labels.js';
import { selectMemberRoles } from '../../../db/people/member-roles.js';
import type { MemberDetails } from '../../../db/people/members.js';
import { recordAudit } from '../../kernel/audit/record-audit.js';
import type { CommandContext } from '../../kernel/context.js';
import { unknownLabels } from '../../kernel/labels.js';
import { workspaceRegion } from '../../kernel/workspace-region.js';
import { InvalidInput } from '../../lib/errors.js';
import { memberLabels } from '../member-labels/member-labels.js';
import { addMembers } from './add-member.js';
import { chooseAssignableRole } from './assignable-role.js';
import { identifierFields, reportingTakenIdentifier, takenErrors } from './identifiers.js';
import { type MemberAttributes, normalizeAttributes } from './member-attributes.js';

/** An account is linked only after it has proved an identifier. @throws Forbidden, InvalidInput */
export async function createMember(context: CommandContext, input: MemberAttributes): Promise<MemberDetails> {
  const { db, clock, actor } = context;
  actor.require('members:write');
  if ([input.name, ...identifierFields.map((field) => input[field])].every((value) => value == null)) {
    throw InvalidInput.field('', 'Give at least one of name, email, phone and externalId.');
  }
  const { labelIds = [] } = input;
  const now = clock.now();
  return reportingTakenIdentifier(() =>
    db.inWorkspace(actor.workspaceId, async (tx) => {
      const [labels, roles, defaultRegion] = await Promise.all([
        pinMemberLabels(tx, labelIds),
        selectMemberRoles(tx),
        workspaceRegion(context, tx),
      ]);
      const { changes, errors } = normalizeAttributes(input, { defaultRegion, now });
      errors.push(...unknownLabels(memberLabels, labelIds, labels));
      if (errors.length > 0) throw InvalidInput.fields(errors);
      const { id: memberRoleId } = chooseAssignableRole(roles, actor, input.memberRoleId);

      const [added] = await addMembers(tx, { now }, [
        { values: { ...changes, memberRoleId }, labelIds, isVouchedFor: true },
      ]);
      if (added?.status === 'created') {
        if (input.memberRoleId !== undefined) {
          recordAudit(tx, context, 'member:role_changed', { subject: ['member', added.member.id] });
        }
        return added.member;
      }
      throw InvalidInput.fields(takenErrors(added?.taken ?? {}), 'duplicate');
    }),
  );
}
