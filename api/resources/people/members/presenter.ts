import type { MemberDetails } from '../../../../db/people/members.js';
import type { AddressView } from '../../../../domain/people/members/member-addresses.js';
import type { WorkspaceMemberResponse } from './schemas.js';

export function presentMember(row: MemberDetails & { addresses?: AddressView[] }): WorkspaceMemberResponse {
  return {
    id: row.id,
    uuid: row.uuid,
    kind: row.kind,
    name: row.name,
    email: row.email,
    phone: row.phone,
    dateOfBirth: row.dateOfBirth,
    description: row.description,
    externalId: row.externalId,
    memberRoleId: row.memberRoleId,
    memberRoleName: row.memberRoleName,
    labels: row.labels.map(({ id, slug, name }) => ({ id, slug, name })),
    locale: row.locale,
    notifyEmail: row.notifyEmail,
    notifySms: row.notifySms,
    notifyVoice: row.notifyVoice,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    smsOptedOutAt: row.smsOptedOutAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(row.addresses === undefined ? {} : { addresses: row.addresses.map(presentAddress) }),
  };
}

function presentAddress({ channel, value, state, isPending, bouncedAt, optedOutAt }: AddressView) {
  return {
    channel,
    value,
    state,
    isPending,
    bouncedAt: bouncedAt?.toISOString() ?? null,
    optedOutAt: optedOutAt?.toISOString() ?? null,
  };
}
