import { type RowOf, TenantModel } from './tenant-model.js';

export type MessageRole = 'user' | 'assistant' | 'system' | 'tool';
export type SmsDeliveryStatus = 'sent' | 'delivered' | 'failed';

/** An OpenAI content part; text ones carry `text`. */
export type ContentPart = { type: string; text?: string } & Record<string, unknown>;
export type MessageContent = string | ContentPart[];

/** An OpenAI tool call. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export class MessageModel extends TenantModel {
  static override tableName = 'messages';
  static override jsonAttributes = ['content', 'originalContent', 'toolCalls', 'suggestions', 'tokenUsage'];
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'chatId',
    'role',
    'content',
    'originalContent',
    'truncationReason',
    'truncatedAtMs',
    'toolCalls',
    'toolCallId',
    'subConversationOf',
    'suggestions',
    'memberId',
    'taskId',
    'emailId',
    'inboxId',
    'turnUuid',
    'turnRound',
    'turnVersion',
    'tokenUsage',
    'carrierMessageId',
    'carrierReceivedAt',
    'smsKeyword',
    'answersUntil',
    'smsDeliveryStatus',
    'smsDeliveryErrorCode',
    'smsDeliveryUpdatedAt',
    'smsDeliveryFailureReason',
    'userRating',
    'userRatingComment',
    'createdAt',
    'createdRevision',
    'revision',
  ] as const satisfies readonly (keyof RowOf<MessageModel>)[];

  declare uuid: string;
  declare chatId: number;
  declare role: MessageRole;
  declare content: MessageContent | null;
  declare originalContent: MessageContent | null;
  declare truncationReason: string | null;
  declare truncatedAtMs: number | null;
  declare toolCalls: ToolCall[];
  declare toolCallId: string | null;
  /** The tool call whose inner conversation this belongs to; null in the chat itself. */
  declare subConversationOf: string | null;
  declare suggestions: string[];
  declare memberId: number | null;
  declare taskId: number | null;
  declare emailId: number | null;
  declare inboxId: number | null;
  declare turnUuid: string | null;
  declare turnRound: number | null;
  /** The chat's version that the round had before it. */
  declare turnVersion: number | null;
  /** The newest message that the model was shown, where the member wrote more before the answer was stored. */
  declare answersUntil: number | null;
  declare tokenUsage: Record<string, unknown> | null;
  declare carrierMessageId: string | null;
  /** When the carrier received a message whose webhook did not arrive; null: when it was stored. */
  declare carrierReceivedAt: Date | null;
  /** STOP, START or HELP, where a message is one or confirms one; null in those of earlier releases. */
  declare smsKeyword: 'stop' | 'start' | 'help' | null;
  declare smsDeliveryStatus: SmsDeliveryStatus | null;
  declare smsDeliveryErrorCode: string | null;
  declare smsDeliveryUpdatedAt: Date | null;
  declare smsDeliveryFailureReason: string | null;
  declare userRating: number | null;
  declare userRatingComment: string | null;
  declare createdAt: Date;
  /** The chat's revision that the message came with. The database's alone. */
  declare createdRevision: number;
  /** The revision of its last change. */
  declare revision: number;
}

export type MessageRow = RowOf<MessageModel>;
