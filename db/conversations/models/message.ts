import { column, json, tenantTable, unread } from '../../lib/table.js';
import type { RowOf } from '../../lib/table-model.js';

export type MessageRole = 'user' | 'assistant' | 'system' | 'tool';
/** Who wrote a message: the chat's member, another person, the agent, a task of the workflow, or the service. */
export type MessageAuthor = 'member' | 'person' | 'agent' | 'workflow' | 'system';
export type SmsDeliveryStatus = 'sent' | 'delivered' | 'failed';

/** An OpenAI content part; text ones carry `text`. */
export type ContentPart = { type: string; text?: string } & Record<string, unknown>;
export type MessageContent = string | ContentPart[];

/** A file as it was when the message was sent: the version that was current. */
export interface StoredMessageFile {
  status: 'stored';
  fileId: number;
  fileUuid: string;
  versionId: number;
  filename: string;
  mimeType: string;
  fileSize: number;
  /** The carrier's id of what was fetched. */
  mediaId?: string;
}

/** Media that the carrier announced: not fetched yet, or never, for a reason. */
export type MissingMessageFile =
  | { status: 'awaited' }
  | { status: 'failed'; reason: string; mediaId?: string };

export type MessageFile = StoredMessageFile | MissingMessageFile;

/** When something was said, in milliseconds from the beginning of the call. */
export interface AudioMetadata {
  phoneCallId: number;
  startMs: number;
  endMs: number;
}

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export class MessageModel extends tenantTable('messages', {
  uuid: column<string>(),
  chatId: column<number>(),
  role: column<MessageRole>('code'),
  /** Null in messages of earlier releases. */
  author: column<MessageAuthor | null>('code'),
  content: json<MessageContent | null>('personal'),
  originalContent: json<MessageContent | null>('personal'),
  files: json<MessageFile[]>('personal'),
  /** Since when media of the message are to be fetched from the carrier; null where none are. */
  mediaAwaitedSince: column<Date | null>(),
  truncationReason: column<string | null>('code'),
  truncatedAtMs: column<number | null>(),
  toolCalls: json<ToolCall[]>('personal'),
  toolCallId: column<string | null>('id'),
  /** The tool call whose inner conversation contains this message; null in the chat itself. */
  subConversationOf: column<string | null>('id'),
  suggestions: json<string[]>('personal'),
  memberId: column<number | null>(),
  taskId: column<number | null>(),
  emailId: column<number | null>(),
  inboxId: column<number | null>(),
  turnUuid: column<string | null>(),
  turnRound: column<number | null>(),
  /** The chat's version before the round. */
  turnVersion: column<number | null>(),
  /** The newest message that the model got, where the member wrote more before the answer was stored. */
  answersUntil: column<number | null>(),
  tokenUsage: json<Record<string, unknown> | null>('counts'),
  /** The call in which it was said; null: it was written. */
  callId: column<number | null>(),
  /** The id of the item in the model's session; unique within a call. */
  callItemId: column<string | null>('id'),
  audioMetadata: json<AudioMetadata | null>('counts'),
  /** The recording in which it is heard. */
  audioFileUuid: column<string | null>(),
  carrierMessageId: column<string | null>('id'),
  /** When the carrier received a message whose webhook did not arrive; null: when it was stored. */
  carrierReceivedAt: column<Date | null>(),
  /** STOP, START or HELP, if the message is one or confirms one; null in messages of earlier releases. */
  smsKeyword: column<'stop' | 'start' | 'help' | null>('code'),
  smsDeliveryStatus: column<SmsDeliveryStatus | null>('code'),
  smsDeliveryErrorCode: column<string | null>('code'),
  smsDeliveryUpdatedAt: column<Date | null>(),
  smsDeliveryFailureReason: column<string | null>('code'),
  userRating: column<number | null>('number'),
  userRatingComment: column<string | null>('personal'),
  createdAt: column<Date>(),
  /** The chat's revision at which the message was created. Written by triggers only. */
  createdRevision: column<number>(),
  /** The chat's revision at the message's last change. */
  revision: column<number>(),
  /** The size of its contents and tool calls, in bytes. */
  valueBytes: unread(),
}) {}

export type MessageRow = RowOf<MessageModel>;
