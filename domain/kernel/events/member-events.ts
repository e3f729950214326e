import type { MemberDetails, MemberRow } from '../../../db/people/members.js';
import type { NewEvent } from './write-events.js';

/** The event for a member whose data is erased: ids only, which stay. */
export function memberErasedEvent({ id, uuid }: Pick<MemberRow, 'id' | 'uuid'>): NewEvent {
  return { eventType: 'member:erased', payload: { member: { id, uuid } } };
}

/** The event for a change of a member's details. The specification has no event for a new member. */
export function memberUpdatedEvent(member: MemberDetails): NewEvent {
  return {
    eventType: 'member:updated',
    payload: {
      member: {
        id: member.id,
        uuid: member.uuid,
        kind: member.kind,
        email: member.email,
        phone: member.phone,
        name: member.name,
        dateOfBirth: member.dateOfBirth,
        description: member.description,
        externalId: member.externalId,
        memberRoleId: member.memberRoleId,
        labels: member.labels.map(({ id, slug, name }) => ({ id, slug, name })),
        locale: member.locale,
        notifyEmail: member.notifyEmail,
        notifySms: member.notifySms,
        notifyVoice: member.notifyVoice,
        createdAt: member.createdAt.toISOString(),
        updatedAt: member.updatedAt.toISOString(),
      },
    },
  };
}
