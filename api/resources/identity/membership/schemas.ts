import Type from 'typebox';
import { membershipStatuses } from '../../../../db/identity/models/organization-member.js';
import type { getOrganizationMembership } from '../../../../domain/identity/organizations/join-organization.js';
import { type AnswerOf, OneOf, Time, Timestamp, Uuid } from '../../../http/schemas.js';
import { OrganizationRole } from '../organizations/schemas.js';

const membership = {
  organizationUuid: Type.String({ ...Uuid, description: 'UUID of the organization' }),
  status: OneOf(membershipStatuses, { description: 'Whether the caller takes part, or was disabled' }),
  role: OrganizationRole,
  joinedAt: Time({ ...Timestamp, description: 'When the caller became a member' }),
};

export const MembershipResponse = Type.Object(membership, { $id: 'MembershipResponse' });
export const OrgJoinResponse = Type.Object(membership, { $id: 'OrgJoinResponse' });

type Membership = Pick<Awaited<ReturnType<typeof getOrganizationMembership>>, 'organization' | 'member'>;

export function presentMembership({ organization, member }: Membership): AnswerOf<typeof MembershipResponse> {
  const { status, role, createdAt } = member;
  return { organizationUuid: organization.uuid, status, role, joinedAt: createdAt };
}
