import Type from 'typebox';
import { type MemberTimelineEntry, timelineSources } from '../../../../db/person-data/member-timeline.js';
import { readMemberTimeline } from '../../../../domain/person-data/read-member-timeline.js';
import { workspaceMember } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { demo } from '../../../http/demo.js';
import { AnyOf, beforeQuery, Id, nextBefore, OneOf, Picked, Timestamp } from '../../../http/schemas.js';

const Entry = Picked(
  {
    at: { ...Timestamp, description: 'When it happened' },
    source: OneOf(timelineSources, {
      description:
        'What it concerns: chat, act (what a colleague did with a chat, or wrote in it), call, email, assignment, record, or consent',
    }),
    kind: Type.String({
      description:
        'What happened. chat: begun. act: the kinds of `GET W/chats/{chat_id}/acts`. call: incoming, outgoing. email: received, queued. assignment: begun, concluded. record: created, updated, retired, restored. consent: opted_out, opted_in',
    }),
    chatId: Type.Optional(Type.Integer({ ...Id, description: 'The chat in which it happened' })),
    assignmentId: Type.Optional(Type.Integer({ ...Id, description: 'The assignment' })),
    phoneCallId: Type.Optional(Type.Integer({ ...Id, description: 'The phone call' })),
    dataRecordId: Type.Optional(Type.Integer({ ...Id, description: 'The data record' })),
    dataTypeSlug: Type.Optional(Type.String({ description: 'Its data type' })),
    channel: Type.Optional(
      Type.String({
        description: 'Of a chat its channel; of a consent what it is about: sms, email or calls',
      }),
    ),
    outcome: Type.Optional(
      Type.String({
        description:
          'How a call or an assignment ended (their status), why a chat was paused, or by what a member opted out',
      }),
    ),
    actorMemberId: Type.Optional(
      Type.Integer({ ...Id, description: 'Who did it; absent: the agent, the service, or nobody is known' }),
    ),
  },
  { $id: 'MemberTimelineEntryResponse' },
);

const MemberTimeline = Type.Object(
  {
    items: Type.Array(Entry, { maxItems: 100 }),
    next: nextBefore,
    leftOut: Type.Array(OneOf(timelineSources), {
      maxItems: timelineSources.length,
      description: 'What the caller may not read, and what is therefore left out',
    }),
  },
  { $id: 'MemberTimelineResponse' },
);

const read = defineRoute({
  operationId: 'readMemberTimeline',
  method: 'GET',
  path: '/w/{workspace_uuid}/members/{member_id}/timeline',
  tag: 'Members',
  summary: 'Read what has happened with a member',
  description:
    'Chats, what colleagues did in them, calls, emails, assignments, records and consents in one order, the newest first: what and when, without contents, which their own operations show. Chats, acts, calls and emails need the permission chats:read, assignments assignments:read, records data:read or that of a data type; what the caller may not read is left out, and named.',
  access: workspaceMember({ scope: 'members:read', permission: 'members:read' }),
  query: Type.Object({
    source: Type.Optional(AnyOf(OneOf(timelineSources))),
    ...beforeQuery,
  }),
  example: { params: { member_id: demo.memberId } },
  response: { status: 200, schema: MemberTimeline },
  handler: async ({ context, params, query }) => {
    const { items, ...rest } = await readMemberTimeline(context, params.member_id, query);
    return { ...rest, items: items.map(present) };
  },
});

function present({ time: at, callId, recordId, about, ...entry }: MemberTimelineEntry) {
  const aboutIt = entry.source === 'record' ? { dataTypeSlug: about } : { channel: about };
  return { ...entry, at, phoneCallId: callId, dataRecordId: recordId, ...aboutIt };
}

export const memberTimelineRoutes = [read];
