import { column, identityTable, json, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

/** Who is told that chats wait for a person, and how. */
export interface HandoffNotices {
  channels: ('email' | 'sms' | 'event')[];
  /** People with these roles, and these people, if their role reads chats. */
  memberRoleIds: number[];
  memberIds: number[];
  /** Codes of `domain/kernel/alert-colleague.ts`. */
  reasons: string[];
  /** The least time between two notices to a person. */
  everyMinutes: number;
  /** Whether people are told of held mail as well; not in settings of earlier releases, which have not chosen it. */
  heldEmails?: boolean;
  /** The number that SMS are sent from; null: none is sent. */
  phoneNumberId: number | null;
  /** Where people answer, in a program of the workspace's own; not in settings of earlier releases. */
  queueUrl?: string | null;
}

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

/** When nothing is sent that an agent or a task begins, by the clock of the member. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`; earlier than `from`, or the same: on the next day. */
  to: string;
  /** The days on which they begin. */
  days: Weekday[];
}

/** What callers hear before a call is recorded, in one language. */
export interface NoticeText {
  text: string;
  /** Asked after it, where callers are asked. Absent: that of the service. */
  question?: string;
}

/** Days and times of a week in which calls are taken. */
export interface BusinessWindow {
  days: Weekday[];
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`; earlier than `from`, or the same: on the next day. */
  to: string;
}

/** When incoming calls are taken, by the clock of the workspace. */
export interface BusinessHours {
  /** None: calls are taken at no time. */
  windows: BusinessWindow[];
  /** Days without business hours, as `YYYY-MM-DD`. */
  closedDates: string[];
  /** What happens outside of them: the caller is told, or the agent answers all the same. */
  outside: 'closed' | 'agent';
  /** What the caller is told; null: a usual sentence in its language. */
  closedText: string | null;
}

/** Something that the workspace knows of a member: a property, or a field of its newest record. */
export interface IdentityQuestion {
  memberField?: 'name' | 'email' | 'dateOfBirth' | 'externalId';
  dataTypeSlug?: string;
  fieldSlug?: string;
}

export interface IdentityQuestions {
  method: 'questions';
  questions: IdentityQuestion[];
  /** How many of them have to be answered. */
  required: number;
  triesPerCall: number;
  /** Of all calls of a member. */
  triesPerDay: number;
}

/** How callers prove who they are. */
export type VoiceIdentity = IdentityQuestions | { method: 'none' };

/** A team or a project, a tenant of the service. */
export class WorkspaceModel extends identityTable('workspaces', {
  id: column<number>(),
  uuid: column<string>(),
  name: column<string>('configuration'),
  slug: column<string>('configuration'),
  defaultRegion: column<string>('code'),
  locale: column<string>('code'),
  timezone: column<string>('code'),
  /** Origins of web pages that may read the API's responses for this workspace (CORS). */
  allowedOrigins: column<string[]>('codes'),
  /** After so many days without anything new, what is in a chat is deleted, and a private file; null: never. */
  chatRetentionDays: column<number | null>(),
  fileRetentionDays: column<number | null>(),
  /** The countries that are called (ISO 3166 alpha-2); null: that of the number that is called from. */
  callCountries: column<string[] | null>('codes'),
  /** How often a number is dialled within 24 hours. */
  callsPerDay: column<number>(),
  /** How many calls the workspace dials within 24 hours. */
  workspaceCallsPerDay: column<number>(),
  /** The countries that texts are begun to (ISO 3166 alpha-2); null: that of the number that they are sent from. */
  smsCountries: column<string[] | null>('codes'),
  /** How many texts the workspace begins within 24 hours. */
  smsPerDay: column<number>(),
  /** Whether streams of calls are recorded, and after how many days that is deleted. */
  recordCalls: column<boolean>(),
  recordingRetentionDays: column<number | null>(),
  auditRetentionDays: column<number>(),
  /** By locale; null: the sentences of the service. */
  recordingNotice: json<Record<string, NoticeText> | null>('configuration'),
  /** Whether callers are only told that a call is recorded, or asked. */
  recordingConsent: column<'notice' | 'ask'>('code'),
  /** Null: callers cannot prove who they are. */
  voiceIdentity: json<VoiceIdentity | null>('configuration'),
  /** What emails say of their sender, where the law wants an address; null: nothing. */
  postalAddress: column<string | null>('configuration'),
  /** Null: no notices are sent. */
  handoffNotices: json<HandoffNotices | null>('counts'),
  /** The hosts that agents may send requests to. */
  requestHosts: column<string[]>('codes'),
  /** Null: none. */
  quietHours: json<QuietHours | null>('counts'),
  /** Of numbers that have none of their own; null: calls are taken at any time. */
  businessHours: json<BusinessHours | null>('configuration'),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
  createdByAccountId: unread<number | null>(),
  organizationId: unread<number | null>(),
}) {}

export type WorkspaceRow = RowOf<WorkspaceModel>;
