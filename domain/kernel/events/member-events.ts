import type { MemberDetails, MemberRow } from '../../../db/people/members.js';
import type { EventMember, EventPayload } from './payloads.js';
import type { NewEvent } from './write-events.js';

/** The event for a member whose data is erased: ids only, which stay. */
export function memberErasedEvent({ id, uuid }: Pick<MemberRow, 'id' | 'uuid'>): NewEvent {
  return { eventType: 'member:erased', payload: { member: { id, uuid } } };
}

/** The event for a new member. */
export function memberCreatedEvent(member: MemberDetails): NewEvent {
  return { eventType: 'member:created', payload: { member: eventMemberOf(member) } };
}

/** The event for a change of a member's details. */
export function memberUpdatedEvent(member: MemberDetails): NewEvent {
  return { eventType: 'member:updated', payload: { member: eventMemberOf(member) } };
}

export type OptOutChannel = EventPayload<'member:opted_out'>['channel'];
export type OptOutSource = EventPayload<'member:opted_out'>['source'];

/** The event for a member that was not opted out of a channel before. */
export function memberOptedOutEvent(
  member: MemberDetails,
  channel: OptOutChannel,
  source: OptOutSource,
): NewEvent {
  return { eventType: 'member:opted_out', payload: { member: eventMemberOf(member), channel, source } };
}

/** The event for a member that was opted out of a channel before. */
export function memberOptedInEvent(member: MemberDetails, channel: OptOutChannel): NewEvent {
  return { eventType: 'member:opted_in', payload: { member: eventMemberOf(member), channel } };
}

function eventMemberOf(member: MemberDetails): EventMember {
  return {
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
  };
}
