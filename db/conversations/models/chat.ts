import { column, json, tenantTable } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type Channel = 'web-chat' | 'phone-sms' | 'phone-voice' | 'email';

export class ChatModel extends tenantTable('chats', {
  uuid: column<string>(),
  channel: column<Channel>('code'),
  chatType: column<string>('personal'),
  memberId: column<number>(),
  createdByMemberId: column<number | null>(),
  assistantEnabled: column<boolean>(),
  assistantMemberId: column<number | null>(),
  chatModelId: column<string | null>('code'),
  realtimeModelId: column<string | null>('code'),
  definitionId: column<number | null>(),
  revisionId: column<number | null>(),
  phoneNumberId: column<number | null>(),
  inboxId: column<number | null>(),
  siteId: column<number | null>(),
  /** The folder of files in which people keep the chat. It gives nobody a right. */
  folderId: column<number | null>(),
  /** The message from which the chat was begun; null if there is none, or it was deleted. */
  fromMessageId: column<number | null>(),
  title: column<string | null>('personal'),
  summary: column<string | null>('personal'),
  summaryUpdatedAt: column<Date | null>(),
  /** The request that wrote the summary, and the newest message that it had read. */
  summaryRequestUuid: column<string | null>(),
  summaryMessageId: column<number | null>(),
  archived: column<boolean>(),
  muted: column<boolean>(),
  paused: column<boolean>(),
  pausedAt: column<Date | null>(),
  pausedReason: column<string | null>('personal'),
  /** The member that paused it explicitly or by a reply; null where an agent, a task or the service did. */
  pausedByMemberId: column<number | null>(),
  needsResponse: column<boolean>(),
  /** A code of `domain/kernel/alert-colleague.ts`; null where no person is needed, or the reason is unknown. */
  needsResponseReason: column<string | null>('code'),
  /** Since when it needs a person; null while it needs none. Written by triggers only, which also end the following. */
  needsResponseSince: column<Date | null>(),
  /** The colleague that has said to answer, and until when the chat is that colleague's. */
  claimedByMemberId: column<number | null>(),
  claimedUntil: column<Date | null>(),
  /** Since when it is put off, until a time or, without one, until the member writes. */
  snoozedAt: column<Date | null>(),
  snoozedUntil: column<Date | null>(),
  /** When it last became news again while it waited, except by the clock. Written by a trigger only. */
  reopenedAt: column<Date | null>(),
  /** Why nothing can move its assignment: a code of the same list; null while something can. */
  standingReason: column<string | null>('code'),
  /** The tool call that waits for a colleague's decision, or was approved and has yet to be run. */
  approvalId: column<number | null>(),
  isTest: column<boolean>(),
  /** The pair of members of a direct chat (`openDirectChat`); null for all others. */
  dmKey: column<string | null>('id'),
  /** Digest of an SMS sender that is no phone number, and of the number that it writes to. */
  senderKey: column<string | null>('id'),
  initialMessageError: column<string | null>('code'),
  messageCount: column<number>(),
  lastMessageReceivedAt: column<Date | null>(),
  /** Incremented by everything that the agent must consider: a message, a selection, a cancellation, a takeover. */
  version: column<number>(),
  /** The version that has been answered. If it is below `version`, a turn is due. */
  handledVersion: column<number>(),
  /** Since when a turn of the agent is owed; null where none is. Written by triggers only. */
  turnOwedSince: column<Date | null>(),
  /** Since when, and at least until when, a due turn waits for the account at the model's provider. */
  agentHeldSince: column<Date | null>(),
  agentHeldUntil: column<Date | null>(),
  /** When a person last wrote: the member, except for apparent automatic replies, or a colleague. Null: nobody yet. */
  attendedAt: column<Date | null>(),
  /** Turns before do not count towards the limits, because a colleague has resumed the chat. Null: all count. */
  turnsCountedFrom: column<Date | null>(),
  /** Number of answers in a row that were dropped because the member wrote meanwhile. */
  interruptions: column<number>(),
  /** Why the agent may not speak although the chat is not paused: a code of `domain/kernel/alert-colleague.ts`. */
  agentStoppedReason: column<string | null>('code'),
  /** Until when it is stopped; null where a person must act first, or the agent is not stopped. */
  agentStoppedUntil: column<Date | null>(),
  /** Counts the changes that readers of the chat see, including those of its messages. Written by triggers only. */
  revision: column<number>(),
  /** The revision of the last change of the chat itself. */
  changedRevision: column<number>(),
  /** The revision of the last entries in the timeline of its assignment. */
  timelineRevision: column<number>(),
  /** The revision of the latest change of a call. */
  callRevision: column<number>(),
  /** The transaction of the last of these changes, its group of 4,096, and the last one that changed its place in the queue. */
  changedIn: column<number | null>(),
  changedGroup: column<number | null>(),
  queueChangedIn: column<number | null>(),
  /** When everything in it was deleted, because it had grown old. A trigger lifts it with the next change. */
  forgottenAt: column<Date | null>(),
  createdAt: column<Date>(),
  updatedAt: column<Date>(),
}) {}

export type ChatRow = RowOf<ChatModel>;

export class ChatParticipantModel extends tenantTable('chat_participants', {
  chatId: column<number>(),
  memberId: column<number>(),
  role: column<string>('code'),
  additionalInstructions: column<string | null>('personal'),
  chatModelId: column<string | null>('code'),
  realtimeModelId: column<string | null>('code'),
  chatModelConfig: json<Record<string, unknown> | null>('configuration'),
  realtimeModelConfig: json<Record<string, unknown> | null>('configuration'),
  createdAt: column<Date>(),
}) {}

export type ChatParticipantRow = RowOf<ChatParticipantModel>;
