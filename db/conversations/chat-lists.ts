import { type QueryBuilder, raw } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import type { Tx } from '../database.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { MemberModel } from '../people/models/member.js';
import { type Channel, ChatModel, type ChatRow } from './models/chat.js';
import { ChatLabelLinkModel } from './models/chat-label.js';
import { ChatParticipantModel } from './models/chat-participant.js';
import { MessageModel } from './models/message.js';

/** Selects chats: all given conditions apply, and any value of a list may match. */
export interface ChatFilter {
  /** A member's own chats: those with it, created by it, or in which it takes part. */
  ownedBy?: number;
  /** With one of these members. */
  memberId?: readonly number[];
  channel?: readonly Channel[];
  assignmentId?: readonly number[];
  labelId?: readonly number[];
  workflowId?: readonly number[];
  phoneNumberId?: readonly number[];
  chatType?: readonly string[];
  createdFrom?: string;
  createdBefore?: string;
  archived?: boolean;
  muted?: boolean;
  paused?: boolean;
  needsResponse?: boolean;
  isTest?: boolean;
  search?: ChatSearch;
}

/** A part of a chat's title, or of its member's name or identifiers. */
export interface ChatSearch {
  text: string;
  /** Whose email, phone and external id are searched: those of everyone, or of one member. */
  identifiersOf: 'everyone' | number;
}

export type ChatSortField = 'createdAt' | 'updatedAt' | 'lastMessageReceivedAt';

const sortColumns: Record<ChatSortField, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastMessageReceivedAt: 'last_message_received_at',
};

export async function listChats(
  tx: Tx,
  filter: ChatFilter,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatRow>> {
  return readPage(filteredChats(tx, filter), page, sortColumns[page.sortBy], 'id');
}

export interface DayCount {
  /** `YYYY-MM-DD`. */
  date: string;
  count: number;
}

/**
 * Counts the chats that were created on each day of a time zone, including the first and last day; days without chats
 * are left out.
 */
export async function countChatsByDay(
  tx: Tx,
  filter: ChatFilter,
  days: { from: string; to: string; timezone: string },
): Promise<DayCount[]> {
  return filteredChats(tx, filter)
    .select(raw(`to_char(created_at at time zone ?, 'YYYY-MM-DD')`, [days.timezone]).as('date'))
    .select(raw('count(*)').as('count'))
    .whereRaw('created_at >= (?::date)::timestamp at time zone ?', [days.from, days.timezone])
    .whereRaw('created_at < (?::date + 1)::timestamp at time zone ?', [days.to, days.timezone])
    .groupByRaw('1')
    .orderByRaw('1')
    .castTo<DayCount[]>();
}

/** Lists the names of the tools that were called in chats, each once, in order. */
export async function listToolCallNames(tx: Tx, filter: Pick<ChatFilter, 'ownedBy'>): Promise<string[]> {
  const calls = MessageModel.query(tx)
    .joinRaw('cross join lateral jsonb_array_elements(tool_calls) as call')
    .whereRaw(`tool_calls <> '[]'`);
  if (filter.ownedBy !== undefined) calls.whereIn('chat_id', ownChatIds(tx, filter.ownedBy));
  const names = await calls
    .distinct(raw(`call #>> '{function,name}'`).as('name'))
    .orderBy('name')
    .castTo<{ name: string }[]>();
  return names.map(({ name }) => name);
}

function filteredChats(tx: Tx, filter: ChatFilter): QueryBuilder<ChatModel> {
  const query = ChatModel.query(tx);
  if (filter.ownedBy !== undefined) query.whereIn('id', ownChatIds(tx, filter.ownedBy));
  if (filter.memberId !== undefined) query.whereIn('member_id', [...filter.memberId]);
  if (filter.channel !== undefined) query.whereIn('channel', [...filter.channel]);
  if (filter.assignmentId !== undefined) {
    query.whereIn(
      'id',
      tx('assignments')
        .select('chat_id')
        .whereIn('id', [...filter.assignmentId]),
    );
  }
  if (filter.labelId !== undefined) {
    query.whereIn(
      'id',
      ChatLabelLinkModel.query(tx)
        .select('chat_id')
        .whereIn('chat_label_id', [...filter.labelId]),
    );
  }
  if (filter.workflowId !== undefined) query.whereIn('definition_id', [...filter.workflowId]);
  if (filter.phoneNumberId !== undefined) query.whereIn('phone_number_id', [...filter.phoneNumberId]);
  if (filter.chatType !== undefined) query.whereIn('chat_type', [...filter.chatType]);
  if (filter.createdFrom !== undefined) query.where('created_at', '>=', new Date(filter.createdFrom));
  if (filter.createdBefore !== undefined) query.where('created_at', '<', new Date(filter.createdBefore));
  if (filter.archived !== undefined) query.where('archived', filter.archived);
  if (filter.muted !== undefined) query.where('muted', filter.muted);
  if (filter.paused !== undefined) query.where('paused', filter.paused);
  // A constant condition, so that PostgreSQL can use the partial index on it.
  if (filter.needsResponse !== undefined)
    query.whereRaw(filter.needsResponse ? 'needs_response' : 'not needs_response');
  if (filter.isTest !== undefined) query.where('is_test', filter.isTest);
  if (filter.search !== undefined) searchFor(tx, query, filter.search);
  return query;
}

/**
 * Under row-level security no operator on parts of texts can be an index condition: an index finds the workspace's
 * chats and members, and their texts are compared one by one.
 */
function searchFor(tx: Tx, query: QueryBuilder<ChatModel>, { text, identifiersOf }: ChatSearch): void {
  const part = containsPattern(text);
  const byIdentifier = MemberModel.query(tx)
    .select('id')
    .where((any) => {
      any.whereILike('email', part).orWhereILike('phone', part).orWhere('external_id', text);
    });
  if (identifiersOf !== 'everyone') byIdentifier.where('id', identifiersOf);
  query.where((any) => {
    any
      .whereILike('title', part)
      .orWhereIn('member_id', MemberModel.query(tx).select('id').whereILike('name', part))
      .orWhereIn('member_id', byIdentifier);
  });
}

/** A union, so that each part uses its own index. */
function ownChatIds(tx: Tx, memberId: number): QueryBuilder<ChatModel> {
  return ChatModel.query(tx)
    .select('id')
    .where({ member_id: memberId })
    .union(
      ChatModel.query(tx).select('id').where({ created_by_member_id: memberId }),
      ChatParticipantModel.query(tx).select('chat_id').where({ member_id: memberId }),
    );
}
