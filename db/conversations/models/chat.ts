import { type RowOf, TenantModel } from '../../lib/tenant-model.js';

export type Channel = 'web-chat' | 'phone-sms' | 'phone-voice' | 'email';

export class ChatModel extends TenantModel {
  static override tableName = 'chats';
  static fields = [
    'id',
    'workspaceId',
    'uuid',
    'channel',
    'chatType',
    'memberId',
    'createdByMemberId',
    'assistantEnabled',
    'assistantMemberId',
    'chatModelId',
    'realtimeModelId',
    'definitionId',
    'revisionId',
    'phoneNumberId',
    'inboxId',
    'siteId',
    'folderId',
    'title',
    'summary',
    'summaryUpdatedAt',
    'archived',
    'muted',
    'paused',
    'pausedAt',
    'pausedReason',
    'pausedByMemberId',
    'needsResponse',
    'needsResponseReason',
    'isTest',
    'dmKey',
    'initialMessageError',
    'messageCount',
    'lastMessageReceivedAt',
    'version',
    'handledVersion',
    'turnOwedSince',
    'agentHeldSince',
    'attendedAt',
    'turnsCountedFrom',
    'interruptions',
    'agentHeldUntil',
    'agentStoppedReason',
    'agentStoppedUntil',
    'revision',
    'changedRevision',
    'createdAt',
    'updatedAt',
  ] as const satisfies readonly (keyof RowOf<ChatModel>)[];

  declare uuid: string;
  declare channel: Channel;
  declare chatType: string;
  /** The member the chat is with. */
  declare memberId: number;
  declare createdByMemberId: number | null;
  declare assistantEnabled: boolean;
  declare assistantMemberId: number | null;
  declare chatModelId: string | null;
  declare realtimeModelId: string | null;
  declare definitionId: number | null;
  declare revisionId: number | null;
  declare phoneNumberId: number | null;
  declare inboxId: number | null;
  declare siteId: number | null;
  declare folderId: number | null;
  declare title: string | null;
  declare summary: string | null;
  declare summaryUpdatedAt: Date | null;
  declare archived: boolean;
  declare muted: boolean;
  declare paused: boolean;
  declare pausedAt: Date | null;
  declare pausedReason: string | null;
  /** The member that paused it explicitly or by a reply; null where an agent, a task or the service did. */
  declare pausedByMemberId: number | null;
  declare needsResponse: boolean;
  /** A code of `domain/kernel/call-person.ts`; null where no person is needed, or the reason is unknown. */
  declare needsResponseReason: string | null;
  declare isTest: boolean;
  /** The pair of members of a direct chat (`directChatKey`); null for all others. */
  declare dmKey: string | null;
  declare initialMessageError: string | null;
  declare messageCount: number;
  declare lastMessageReceivedAt: Date | null;
  /** Incremented by everything that the agent must consider: a message, a selection, a cancellation, a takeover. */
  declare version: number;
  /** The version that has been answered. If it is below `version`, a turn is due. */
  declare handledVersion: number;
  /** Since when a turn of the agent is owed; null where none is. Written by triggers only. */
  declare turnOwedSince: Date | null;
  /** Since when, and at least until when, a due turn waits for the account at the model's provider. */
  declare agentHeldSince: Date | null;
  declare agentHeldUntil: Date | null;
  /** When a person last wrote: the member, except for apparent automatic replies, or a colleague. Null: nobody yet. */
  declare attendedAt: Date | null;
  /**
   * Turns before this time do not count towards the limits on turns, because a colleague has resumed the chat since.
   * Null: all count.
   */
  declare turnsCountedFrom: Date | null;
  /** Number of answers in a row that were dropped because the member wrote meanwhile. */
  declare interruptions: number;
  /** Why the agent may not speak although the chat is not paused: a code of `domain/kernel/call-person.ts`. */
  declare agentStoppedReason: string | null;
  /** Until when it is stopped; null where a person must act first, or the agent is not stopped. */
  declare agentStoppedUntil: Date | null;
  /** Counts the changes that readers of the chat see, including those of its messages. Written by triggers only. */
  declare revision: number;
  /** The revision of the last change of the chat itself. */
  declare changedRevision: number;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export type ChatRow = RowOf<ChatModel>;
