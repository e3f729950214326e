import { type QueryBuilder, ref } from 'objection';
import type { PageOf, PageRequest } from '../../domain/lib/paging.js';
import { AssignmentModel } from '../assignments/models/assignment.js';
import { containsPattern } from '../lib/contains-pattern.js';
import { readPage } from '../lib/read-page.js';
import { toRow } from '../lib/table-model.js';
import { MemberModel } from '../people/models/member.js';
import { prepared, statement } from '../statement.js';
import type { Tx } from '../tx.js';
import { type Channel, ChatModel, ChatParticipantModel, type ChatRow } from './models/chat.js';
import { ChatLabelLinkModel, ChatLabelModel } from './models/chat-label.js';
import { MessageModel } from './models/message.js';

/** Selects chats: all given conditions apply, and any value of a list may match. */
export interface ChatFilter
  extends Partial<Pick<ChatRow, 'archived' | 'muted' | 'paused' | 'needsResponse' | 'isTest'>> {
  /** A member's own chats: those with it, created by it, or in which it takes part. */
  ownedBy?: number;
  /** With one of these members. */
  memberId?: readonly number[];
  channel?: readonly Channel[];
  assignmentId?: readonly number[];
  labelId?: readonly number[];
  workflowId?: readonly number[];
  phoneNumberId?: readonly number[];
  folderId?: readonly number[];
  chatType?: readonly string[];
  /** Codes of `domain/kernel/alert-colleague.ts`. */
  reason?: readonly string[];
  createdFrom?: string;
  createdBefore?: string;
  /**
   * A part of the title, or of the name of the member, or of its identifiers if they are everyone's or this member's.
   */
  search?: { text: string; identifiersOf: 'everyone' | number };
}

export type ChatSortField = 'createdAt' | 'updatedAt' | 'lastMessageReceivedAt';

const sortColumns: Record<ChatSortField, string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastMessageReceivedAt: 'last_message_received_at',
};

export async function selectChats(
  tx: Tx,
  filter: ChatFilter,
  page: PageRequest<ChatSortField>,
): Promise<PageOf<ChatRow>> {
  return readPage(filteredChats(tx, filter), page, sortColumns[page.sortBy], 'id');
}

/** Selects the chats of a filter in order of id, beginning after one. */
export async function selectChatsAfter(
  tx: Tx,
  filter: ChatFilter,
  afterId: number,
  limit: number,
): Promise<ChatRow[]> {
  const rows = await filteredChats(tx, filter).where('id', '>', afterId).orderBy('id').limit(limit);
  return rows.map((row) => toRow(row) as ChatRow);
}

/** When these members last wrote, in whatever chat of theirs; those who never did are left out. */
export async function selectLastMessages(
  tx: Tx,
  memberIds: readonly number[],
): Promise<{ memberId: number; at: Date }[]> {
  return prepared(
    tx,
    `select member_id as "memberId", max(last_message_received_at) as at from chats
     where member_id = any(?::bigint[]) and last_message_received_at is not null group by member_id order by member_id`,
    [[...memberIds]],
  );
}

/** `date` as `YYYY-MM-DD`. */
export type ChannelDayCount = { date: string; channel: Channel; count: number };

/**
 * Counts the chats of each channel created on each of some days, by the moments at which they begin, and at which the
 * last ends: PostgreSQL knows time zones by other names than Node.js. Where there are none, there is no count.
 */
export async function countChatsByDay(
  tx: Tx,
  filter: ChatFilter,
  days: { dates: readonly string[]; begins: readonly Date[]; ends: Date },
): Promise<ChannelDayCount[]> {
  const { text, bindings } = sqlOf(
    filteredChats(tx, filter)
      .select('created_at', 'channel')
      .where('created_at', '>=', days.begins[0] as Date)
      .where('created_at', '<', days.ends),
  );
  return statement(
    tx,
    `select (?::text[])[width_bucket(created_at, ?::timestamptz[])] as date, channel, count(*) as count
     from (${text}) found group by 1, 2 order by 1, 2`,
    [[...days.dates], [...days.begins], ...bindings],
  );
}

/** Lists the names of the tools that were called in chats, each once, in order. */
export async function selectToolCallNames(tx: Tx, filter: Pick<ChatFilter, 'ownedBy'>): Promise<string[]> {
  const calls = MessageModel.query(tx)
    .joinRaw('cross join lateral jsonb_array_elements(tool_calls) as call')
    .whereRaw(`tool_calls <> '[]'`);
  if (filter.ownedBy !== undefined) calls.whereIn('chat_id', ownChatIds(tx, filter.ownedBy));
  const names = await calls
    .distinct(ref('call:function.name').castText().as('name'))
    .orderBy('name')
    .castTo<{ name: string }[]>();
  return names.map(({ name }) => name);
}

/** The SQL of a composed query, for a statement around it. */
export function sqlOf(query: QueryBuilder<ChatModel>): { text: string; bindings: readonly unknown[] } {
  const { sql, bindings } = query.toKnexQuery().toSQL();
  return { text: sql, bindings };
}

export function filteredChats(tx: Tx, filter: ChatFilter): QueryBuilder<ChatModel> {
  const query = ChatModel.query(tx);
  const { ownedBy, memberId, channel, assignmentId, labelId, workflowId, phoneNumberId, folderId, chatType } =
    filter;
  const { createdFrom, createdBefore, archived, muted, paused, needsResponse, isTest, search } = filter;
  if (ownedBy !== undefined) query.whereIn('id', ownChatIds(tx, ownedBy));
  if (memberId !== undefined) query.whereIn('member_id', [...memberId]);
  if (channel !== undefined) query.whereIn('channel', [...channel]);
  if (assignmentId !== undefined) {
    const found = AssignmentModel.query(tx).whereIn('id', [...assignmentId]);
    query.whereIn('id', found.select('chat_id'));
  }
  if (labelId !== undefined) {
    const labels = ChatLabelModel.query(tx)
      .select('id')
      .findByIds([...labelId]);
    const links = ChatLabelLinkModel.query(tx).whereIn('chat_label_id', labels);
    query.whereIn('id', links.select('chat_id'));
  }
  if (workflowId !== undefined) query.whereIn('definition_id', [...workflowId]);
  if (phoneNumberId !== undefined) query.whereIn('phone_number_id', [...phoneNumberId]);
  if (folderId !== undefined) query.whereIn('folder_id', [...folderId]);
  if (chatType !== undefined) query.whereIn('chat_type', [...chatType]);
  if (filter.reason !== undefined) query.whereIn('needs_response_reason', [...filter.reason]);
  if (createdFrom !== undefined) query.where('created_at', '>=', new Date(createdFrom));
  if (createdBefore !== undefined) query.where('created_at', '<', new Date(createdBefore));
  if (paused !== undefined) query.where('paused', paused);
  // Constant conditions, so that PostgreSQL can use the partial indexes on them.
  if (archived !== undefined) query.whereRaw(archived ? 'archived' : 'not archived');
  if (muted !== undefined) query.whereRaw(muted ? 'muted' : 'not muted');
  if (needsResponse !== undefined) query.whereRaw(needsResponse ? 'needs_response' : 'not needs_response');
  if (isTest !== undefined) query.where('is_test', isTest);
  if (search !== undefined) searchFor(tx, query, search);
  return query;
}

/**
 * Under row-level security no operator on parts of texts can be an index condition: an index finds the workspace's
 * chats and members, and their texts are compared one by one.
 */
function searchFor(
  tx: Tx,
  query: QueryBuilder<ChatModel>,
  { text, identifiersOf }: NonNullable<ChatFilter['search']>,
): void {
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

/** The ids of a member's own chats: a union, so that each part uses its own index. */
export function ownChatIds(tx: Tx, memberId: number): QueryBuilder<ChatModel> {
  return ChatModel.query(tx)
    .select('id')
    .where({ member_id: memberId })
    .union(
      ChatModel.query(tx).select('id').where({ created_by_member_id: memberId }),
      ChatParticipantModel.query(tx).select('chat_id').where({ member_id: memberId }),
    );
}
