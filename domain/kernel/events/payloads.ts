import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { MemberDetails } from '../../../db/people/members.js';
import { DateOnly, Id, Nullable, OneOf, Timestamp, Uuid } from '../../lib/schema-parts.js';
import type { EventType } from './event-types.js';

/** How members opt out, or why they cannot be reached. */
export const optOutSources = [
  'keyword',
  'words',
  'agent',
  'link',
  'request',
  'carrier',
  'complaint',
  'bounce',
] as const;

/** The parts of event payloads. Each describes an object at the time of the event. */

export const EventDataRecord = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    dataTypeId: Id,
    dataTypeSlug: Type.String(),
    memberId: Id,
    externalId: Nullable(Type.String()),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'Field slug to value' }),
    accessMode: Type.Integer({ minimum: 0, maximum: 3 }),
    retiredAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'EventDataRecord' },
);
export type EventDataRecord = Static<typeof EventDataRecord>;

/** Fields of a member that its event leaves out. */
type LeftOut = 'workspaceId' | 'deletedAt' | 'memberRoleName' | 'disabledAt' | 'smsOptedOutAt' | 'vouchedFor';

export const EventMember = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    kind: OneOf(['human', 'assistant']),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    name: Nullable(Type.String()),
    dateOfBirth: Nullable(DateOnly),
    description: Nullable(Type.String()),
    externalId: Nullable(Type.String({ description: "The caller's own id of the person" })),
    memberRoleId: Id,
    labels: Type.Array(Type.Object({ id: Id, slug: Type.String(), name: Type.String() })),
    locale: Nullable(Type.String()),
    notifyEmail: Type.Boolean(),
    notifySms: Type.Boolean(),
    notifyVoice: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  } satisfies Record<Exclude<keyof MemberDetails, LeftOut>, TSchema>,
  { $id: 'EventMember' },
);
export type EventMember = Static<typeof EventMember>;

/** Names no one: what receivers know of the member goes by its ids. */
export const EventErasedMember = Type.Object({ id: Id, uuid: Uuid }, { $id: 'EventErasedMember' });

export const EventChat = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    channel: OneOf(['web-chat', 'phone-sms', 'phone-voice', 'email']),
    chatType: Type.String(),
    memberId: Id,
    createdByMemberId: Nullable(Id),
    assistantMemberId: Nullable(Id),
    workflowId: Nullable(Id),
    workflowRevisionId: Nullable(Id),
    phoneNumberId: Nullable(Id),
    inboxId: Nullable(Id),
    siteId: Nullable(Id),
    folderId: Nullable(Id),
    fromMessageId: Nullable(Id),
    isTest: Type.Boolean(),
    createdAt: Timestamp,
  },
  {
    $id: 'EventChat',
    description: 'A chat without what is said in it, which is read with the scope `chats:read`.',
  },
);
export type EventChat = Static<typeof EventChat>;

export const EventMessage = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    role: OneOf(['user', 'assistant'], { description: 'user: to the workspace; assistant: from it' }),
    author: Nullable(
      OneOf(['member', 'person', 'agent', 'workflow', 'system'], {
        description:
          "Who wrote it: the chat's member, another person, the agent, a task of the workflow, or a program",
      }),
    ),
    memberId: Nullable(Id),
    fileCount: Type.Integer({
      minimum: 0,
      description: 'Files that came or go with it, as far as they are known',
    }),
    smsKeyword: Nullable(
      OneOf(['stop', 'start', 'help'], {
        description: 'The word that carriers act on, if an SMS is nothing else',
      }),
    ),
    createdAt: Timestamp,
  },
  {
    $id: 'EventMessage',
    description: 'A message without what it says, which is read with the scope `chats:read`.',
  },
);
export type EventMessage = Static<typeof EventMessage>;

export const EventAssignment = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    memberId: Id,
    workflowId: Id,
    workflowRevisionId: Id,
    chatId: Type.Integer({ ...Id, description: 'The chat in which the member is led through it' }),
    status: OneOf(['active', 'completed', 'cancelled', 'failed']),
    outcome: Nullable(Type.String()),
    isTest: Type.Boolean(),
    createdByMemberId: Nullable(Id),
    createdAt: Timestamp,
    concludedAt: Nullable(Timestamp),
  },
  {
    $id: 'EventAssignment',
    description:
      'An assignment without the reason of its outcome, which is read with the scope `assignments:read`.',
  },
);
export type EventAssignment = Static<typeof EventAssignment>;

const cause = OneOf(['agent', 'member', 'operator', 'automatic'], {
  description: 'operator: a colleague; automatic: nobody, such as a transition of the workflow',
});

/** Of an opt-out: what it is about, and how it came about. */
const optOut = {
  member: EventMember,
  channel: OneOf(['sms', 'email', 'calls'], { description: 'Who is opted out of sms is not called either' }),
};

/** By what a message to a member goes; an agent sends SMS and email from chats on other channels as well. */
const sentBy = OneOf(['web-chat', 'phone-sms', 'email']);

export const EventFile = Type.Object(
  {
    id: Id,
    uuid: Uuid,
    title: Type.String(),
    description: Nullable(Type.String()),
    filename: Type.String(),
    mimeType: Type.String(),
    fileSize: Type.Integer({ minimum: 0 }),
    folderId: Nullable(Id),
    ownerId: Nullable(Id),
    access: OneOf(['private', 'workspace', 'public']),
    source: OneOf(['upload', 'message', 'agent']),
    externalId: Nullable(Type.String()),
    currentVersionNumber: Type.Integer({ minimum: 1 }),
    lastEditedByMemberId: Nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    $id: 'EventFile',
    description: 'A file without its bytes and its text, which are read with the scope `files:read`.',
  },
);
export type EventFile = Static<typeof EventFile>;

export const EventCreditBudget = Type.Object(
  {
    month: Type.String({ description: "YYYY-MM, in the workspace's time zone" }),
    state: OneOf(['low', 'used_up'], { description: 'low: 80 % are used; used_up: all of it' }),
    monthlyCredits: Type.Number({ description: 'The budget of the month, in credits' }),
    creditsUsed: Type.Number({ description: 'What model calls have cost in the month' }),
    extraUsageEnabled: Type.Boolean({ description: 'Whether agents go on beyond the budget' }),
  },
  {
    $id: 'EventCreditBudget',
    description: 'The budget of a workspace for one month, and what is used of it.',
  },
);
export type EventCreditBudget = Static<typeof EventCreditBudget>;

const call = {
  id: Id,
  phoneNumberId: Id,
  inbound: Type.Boolean(),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
};

export const EventStartedCall = Type.Object(call, { $id: 'EventStartedCall' });

export const EventEndedCall = Type.Object(
  {
    ...call,
    finishedAt: Timestamp,
    terminationReason: Nullable(Type.String({ description: 'How it ended, as the service sees it' })),
    carrierStatus: Nullable(Type.String({ description: 'How it ended, as the carrier sees it' })),
    failureDetail: Nullable(Type.String()),
  },
  { $id: 'EventEndedCall' },
);
export type EventEndedCall = Static<typeof EventEndedCall>;

/** The top-level fields of an event's body, besides those that all events have (specification: Events). */
const payloads = {
  'data_record:created': { dataRecord: EventDataRecord },
  'data_record:updated': { dataRecord: EventDataRecord },
  'data_record:changed': { operation: OneOf(['created', 'updated']), dataRecord: EventDataRecord },
  'member:created': { member: EventMember },
  'member:updated': { member: EventMember },
  'member:opted_out': {
    ...optOut,
    source: OneOf(optOutSources, { description: 'How it came about' }),
  },
  'member:opted_in': optOut,
  'member:erased': { member: EventErasedMember },
  'chat:created': { chat: EventChat },
  'chat:needs_response': {
    chat: EventChat,
    reason: Nullable(
      Type.String({ description: 'Why it waits: a code of `needsResponseReason` of the chat' }),
    ),
    waitingSince: Type.String({ format: 'date-time', description: 'Since when the chat needs a response' }),
  },
  'chat:closed': { chat: EventChat, reason: OneOf(['archived', 'member_deleted']) },
  'message:received': { chat: EventChat, message: EventMessage },
  'message:sent': { chat: EventChat, message: EventMessage, channel: sentBy },
  'message:failed': {
    chat: EventChat,
    message: EventMessage,
    channel: sentBy,
    failureReason: Type.String({ description: 'A code of `smsDeliveryFailureReason` of the message' }),
    errorCode: Nullable(Type.String({ description: 'The code that the provider gave' })),
  },
  'assignment:created': { assignment: EventAssignment },
  'assignment:task_entered': {
    assignment: EventAssignment,
    task: Type.Object(
      {
        id: Id,
        workflowTaskId: Type.Integer({
          ...Id,
          description: 'The task of the revision, the same for all its assignments',
        }),
        name: Type.String(),
        taskType: Type.String(),
      },
      { description: 'The task of the assignment, and the one of the workflow that it is' },
    ),
    causedBy: cause,
  },
  'assignment:concluded': { assignment: EventAssignment, causedBy: cause },
  'file:created': { file: EventFile },
  'file:updated': { file: EventFile },
  'file:deleted': { file: EventFile },
  'credit_budget:reached': { creditBudget: EventCreditBudget },
  'call:started': { chat: EventChat, call: EventStartedCall },
  'call:completed': { chat: EventChat, call: EventEndedCall },
  'call:summary': {
    chat: EventChat,
    call: EventEndedCall,
    summary: Type.String({ description: 'What the call was about' }),
  },
} as const satisfies Record<EventType, TProperties>;

/** The type-specific part of an event's body. */
export type EventPayload<Type extends EventType> = {
  [Field in keyof (typeof payloads)[Type]]: (typeof payloads)[Type][Field] extends TSchema
    ? Static<(typeof payloads)[Type][Field]>
    : never;
};

/** The schemas of the complete bodies that receivers get, by event type. */
export const eventSchemas: Readonly<Record<EventType, TSchema>> = Object.fromEntries(
  (Object.keys(payloads) as EventType[]).map((eventType) => [eventType, bodySchema(eventType)]),
) as Record<EventType, TSchema>;

function bodySchema(eventType: EventType): TSchema {
  const description = 'A sample, sent because somebody asked for one: nothing happened';
  return Type.Object(
    {
      event: Type.Literal(eventType),
      id: Type.String({ ...Uuid, description: 'The same each time the event is sent: `webhook-id` as well' }),
      createdAt: Timestamp,
      workspaceUuid: Uuid,
      test: Type.Optional(Type.Literal(true, { description })),
      ...payloads[eventType],
    },
    { $id: schemaNameOf(eventType) },
  );
}

/** `data_record:created` → `DataRecordCreatedEvent`. */
function schemaNameOf(eventType: EventType): string {
  const words = eventType.split(/[_:]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
