import Type from 'typebox';
import { callsPerDay, workspaceCallsPerDay } from '../../../../domain/calls/safety-gate.js';
import { textsPerDay } from '../../../../domain/channels/outreach/gate.js';
import { weekdays } from '../../../../domain/channels/outreach/quiet-hours.js';
import { auditRetentionDays } from '../../../../domain/identity/audit/forget-old-audit.js';
import { maxAllowedOrigins } from '../../../../domain/identity/workspaces/update-workspace.js';
import { needsResponseReasons } from '../../../../domain/kernel/alert-colleague.js';
import { retentionDays } from '../../../../domain/kernel/retention.js';
import { maxRequestHosts } from '../../../../domain/kernel/validate-allowed-hosts.js';
import { Id, Name, Nullable, OneOf, Picked, Timestamp, Uuid } from '../../../http/schemas.js';
import { businessHours } from '../../channels/phone-numbers/business-hours.js';
import { VoiceIdentity } from '../../definitions/voice-identity-schema.js';
import { WorkspaceHold } from '../workspace-hold/schemas.js';

const ofChats =
  'After so many days in which nothing happens in a chat, what is in it is deleted; null: never';
const ofFiles = 'After so many days without a change, private files are deleted; null: never';
const ofRecordings =
  'After so many days recordings of calls are deleted; what was said stays in the chat as text. null: never';
const CallCountries = Type.Array(Type.String({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' }), {
  maxItems: 250,
  description:
    'The countries that calls are placed to (ISO 3166 alpha-2); null: that of the phone number that is called from. Numbers that cost more than others of their country are never called',
});

const CallsPerDay = Type.Integer({
  minimum: callsPerDay.min,
  maximum: callsPerDay.most,
  description:
    'How often a phone number is dialled within 24 hours, for whatever reason and in all chats. A further call ends as blocked_outbound_safety with the reason daily_attempts',
});
const WorkspaceCallsPerDay = Type.Integer({
  minimum: workspaceCallsPerDay.min,
  maximum: workspaceCallsPerDay.most,
  description:
    'How many calls the workspace dials within 24 hours. A further call ends as blocked_outbound_safety with the reason workspace_daily_cap',
});
const SmsCountries = Type.Array(Type.String({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' }), {
  maxItems: 250,
  description:
    'The countries that texts (SMS, MMS) are begun to (ISO 3166 alpha-2); null: that of the phone number that they are sent from. Whoever has texted within a day, or waits for an answer, is answered wherever they are. Numbers that cost more than others of their country are never texted',
});
const SmsPerDay = Type.Integer({
  minimum: textsPerDay.min,
  maximum: textsPerDay.most,
  description:
    'How many texts the workspace begins within 24 hours, without answers to people who have texted. A further one fails with the reason workspace_daily_cap',
});
const RecordCalls = Type.Boolean({
  description: 'Whether calls are recorded: their streams that begin from now on',
});
const CallerIdentity = VoiceIdentity('nobody can, and no records are read on the phone');
const words = { minLength: 1, maxLength: 300 } as const;
const RecordingNotice = Type.Record(
  Type.String({ minLength: 2, maxLength: 35 }),
  Type.Object({
    text: Type.String({ ...words, description: 'What the other side is told before a call is recorded' }),
    question: Type.Optional(
      Type.String({
        ...words,
        description:
          'Said after the text where recordingConsent is ask: that the key 1 agrees, and any other does not. By default a sentence of the service, in English if it has none in this language',
      }),
    ),
  }),
  {
    maxProperties: 30,
    description:
      'What the other side of a call hears before it is recorded, by language tag. It is said in the language of the member, else of the workspace. null, and in languages without a text: sentences of the service',
  },
);
const RecordingConsent = OneOf(['notice', 'ask'], {
  description:
    'Whether the other side of a call is only told that it is recorded (notice), or asked to agree by a key (ask). Who refuses or does not answer is not recorded, and the call goes on',
});
const AuditRetentionDays = Type.Integer({
  minimum: auditRetentionDays.min,
  maximum: auditRetentionDays.most,
  description: 'How many days the audit log is kept',
});
const RetentionDays = (description: string) =>
  Type.Integer({ minimum: retentionDays.min, maximum: retentionDays.most, description });

const reasons = Type.Array(OneOf(needsResponseReasons), {
  maxItems: needsResponseReasons.length,
  description:
    'The chats that people are told of: those that wait for one of these reasons (`needsResponseReason`)',
});
const everyMinutes = Type.Integer({
  minimum: 5,
  maximum: 1_440,
  description: 'The least time between two mails, or two SMS, to a person, however many chats wait',
});
const ids = (maxItems: number, description: string) =>
  Type.Array(Type.Integer({ ...Id, description: 'Its id' }), { maxItems, description });
const people = {
  memberRoleIds: ids(
    20,
    'Roles whose people are told. They need the permission chats:read; of all, fifty people are told',
  ),
  memberIds: ids(50, 'People who are told, if their role has the permission chats:read'),
};
const ways = Type.Array(
  OneOf(['email', 'sms', 'event'], {
    description: 'email and sms: to addresses that their owners have proved; event: `chat:needs_response`',
  }),
  { minItems: 1, maxItems: 3, description: 'How people are told' },
);
const heldEmails = Type.Boolean({
  description:
    'Whether people are told of emails too that are held for a person (`GET W/inbound-emails?needsResponse=true`), by mail or SMS, every four hours at most',
});
const sender = Type.Integer({ ...Id, description: 'Phone number that SMS are sent from' });
const queueUrl = Type.String({
  minLength: 9,
  maxLength: 500,
  description:
    'Where people answer: the address of a program of your own, which begins with https://. It stands in mails and SMS, and on the home page of people who read chats. null: notices name no address',
});

const HandoffNotices = Type.Object(
  {
    channels: ways,
    ...people,
    reasons,
    everyMinutes,
    heldEmails,
    phoneNumberId: Nullable(sender),
    queueUrl: Nullable(queueUrl),
  },
  { description: 'Who is told that chats wait for a person, and how; null: no notices are sent' },
);

const HandoffNoticesInput = Type.Object(
  {
    channels: ways,
    memberRoleIds: Type.Optional(people.memberRoleIds),
    memberIds: Type.Optional(people.memberIds),
    reasons: Type.Optional(reasons),
    everyMinutes: Type.Optional(everyMinutes),
    heldEmails: Type.Optional(heldEmails),
    phoneNumberId: Type.Optional(Nullable(sender)),
    queueUrl: Type.Optional(Nullable(queueUrl)),
  },
  {
    description:
      'Who is told that chats wait for a person, and how. What is left out has its default: the reasons handoff and approval, every 15 minutes at most, with held emails. null: no notices are sent',
  },
);

const PostalAddress = Type.String({
  minLength: 1,
  maxLength: 300,
  description:
    'Where the organization is reached by post, in one line. It stands below emails that have a link to unsubscribe, which laws such as CAN-SPAM want, and on the pages of these links. null: it is not told',
});

const ClockTime = (description: string) =>
  Type.String({ maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description });
const quiet = {
  from: ClockTime('When they begin, HH:MM'),
  to: ClockTime(
    'When they end, HH:MM: on the next day if it is earlier than from; at most 20 hours after it',
  ),
};
const days = Type.Array(OneOf(weekdays), {
  minItems: 1,
  maxItems: weekdays.length,
  description: 'The days on which they begin',
});
const ofQuietHours =
  'Hours in which agents and tasks send only answers; their reminders, follow-ups and first messages wait. The time zone is that of the account of the member, else that of the workspace. What is held is sent within 15 minutes after the end, unless the chat has moved on. Messages of colleagues are never held. null: no quiet hours';

const QuietHours = Type.Object({ ...quiet, days }, { description: ofQuietHours });
const QuietHoursInput = Type.Object(
  { ...quiet, days: Type.Optional(days) },
  { description: `${ofQuietHours}. Without days, they begin on every day` },
);

const forWriters = 'Absent without the permission workspace:write';

export const WorkspaceResponse = Picked(
  {
    id: Id,
    uuid: Uuid,
    name: Type.String(),
    slug: Type.String(),
    defaultRegion: Type.String(),
    locale: Type.String(),
    timezone: Type.String(),
    allowedOrigins: Type.Optional(
      Type.Array(Type.String(), {
        description: `Origins whose pages may call the workspace with a token. ${forWriters}`,
      }),
    ),
    requestHosts: Type.Optional(
      Type.Array(Type.String(), {
        description: `Hosts that agents may send requests to, by the ability http_request. ${forWriters}`,
      }),
    ),
    chatRetentionDays: Nullable(RetentionDays(ofChats)),
    fileRetentionDays: Nullable(RetentionDays(ofFiles)),
    callCountries: Type.Optional(Nullable(CallCountries)),
    callsPerDay: Type.Optional(CallsPerDay),
    workspaceCallsPerDay: Type.Optional(WorkspaceCallsPerDay),
    smsCountries: Type.Optional(Nullable(SmsCountries)),
    smsPerDay: Type.Optional(SmsPerDay),
    recordCalls: RecordCalls,
    recordingRetentionDays: Nullable(RetentionDays(ofRecordings)),
    auditRetentionDays: Type.Optional(AuditRetentionDays),
    recordingNotice: Nullable(RecordingNotice),
    recordingConsent: RecordingConsent,
    voiceIdentity: Type.Optional(Nullable(CallerIdentity)),
    handoffNotices: Type.Optional(Nullable(HandoffNotices)),
    postalAddress: Nullable(PostalAddress),
    quietHours: Nullable(QuietHours),
    businessHours: Nullable(businessHours.ofWorkspace.shown),
    hold: Type.Optional(
      Type.Object(WorkspaceHold.properties, { description: 'Whether everything in the workspace is held' }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'WorkspaceResponse' },
);

const optional = {
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })),
  defaultRegion: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 2,
      pattern: '^[A-Z]{2}$',
      description: 'Country of phone numbers without a country code (ISO 3166 alpha-2)',
    }),
  ),
  locale: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
};

export const CreateWorkspaceRequest = Type.Object(
  { name: Name(), ...optional },
  { $id: 'CreateWorkspaceRequest' },
);

export const UpdateWorkspaceRequest = Type.Object(
  {
    name: Type.Optional(Name()),
    ...optional,
    allowedOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: maxAllowedOrigins,
        description:
          'Exact origins (scheme, host and port, as browsers send them): https, and http for localhost outside of production',
      }),
    ),
    requestHosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        maxItems: maxRequestHosts,
        description:
          'Exact hosts that agents may send requests to, such as api.example.com, with a port if it is not 443. Replaces the whole list',
      }),
    ),
    chatRetentionDays: Type.Optional(Nullable(RetentionDays(ofChats))),
    fileRetentionDays: Type.Optional(Nullable(RetentionDays(ofFiles))),
    callCountries: Type.Optional(Nullable(CallCountries)),
    callsPerDay: Type.Optional(CallsPerDay),
    workspaceCallsPerDay: Type.Optional(WorkspaceCallsPerDay),
    smsCountries: Type.Optional(Nullable(SmsCountries)),
    smsPerDay: Type.Optional(SmsPerDay),
    recordCalls: Type.Optional(RecordCalls),
    recordingRetentionDays: Type.Optional(Nullable(RetentionDays(ofRecordings))),
    auditRetentionDays: Type.Optional(AuditRetentionDays),
    recordingNotice: Type.Optional(Nullable(RecordingNotice)),
    recordingConsent: Type.Optional(RecordingConsent),
    voiceIdentity: Type.Optional(Nullable(CallerIdentity)),
    handoffNotices: Type.Optional(Nullable(HandoffNoticesInput)),
    postalAddress: Type.Optional(Nullable(PostalAddress)),
    quietHours: Type.Optional(Nullable(QuietHoursInput)),
    businessHours: Type.Optional(Nullable(businessHours.ofWorkspace.given)),
  },
  { $id: 'UpdateWorkspaceRequest' },
);
