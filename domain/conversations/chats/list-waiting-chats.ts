import {
  type LastMessage,
  lastMessagesOf,
  type QueuePlace,
  type QueueState,
  selectWaitingChats,
  type WaitingSortField,
} from '../../../db/conversations/waiting-chats.js';
import type { Tx } from '../../../db/tx.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput } from '../../lib/errors.js';
import type { PageOf, PageRequest } from '../../lib/paging.js';
import { type ChatView, viewChats } from './chat-view.js';
import { type ChatQuery, visibleChats } from './list-chats.js';

/** A chat that waits for a person. */
export interface WaitingChat extends ChatView {
  lastMessage: LastMessage | undefined;
}

export interface WaitingQuery extends Omit<ChatQuery, 'needsResponse' | 'archived' | 'muted'> {
  /** Default: `open` for callers with `chats:read`, `all` for others. */
  state?: QueueState;
  /** `next` of an earlier page. */
  after?: string;
}

/**
 * Lists the chats that wait for a person; archived and muted ones do not count. Without `chats:read`, only the caller's
 * own chats, whatever colleagues do with them. @throws Forbidden, InvalidInput
 */
export async function listWaitingChats(
  { db, actor, clock }: CommandContext,
  { state, after, ...query }: WaitingQuery & PageRequest<WaitingSortField>,
): Promise<PageOf<WaitingChat> & { next?: string }> {
  if (state !== undefined && state !== 'all') actor.require('chats:read');
  const place = after === undefined ? undefined : placeAfter(after, query);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const filter = {
      ...visibleChats(actor, query),
      state: state ?? (actor.can('chats:read') ? 'open' : 'all'),
      claimedBy: actor.memberId,
      now: clock.now(),
      after: place,
    };
    const found = await selectWaitingChats(tx, filter, query);
    const isLast = query.page * query.pageSize >= found.total && found.isCut !== true;
    const last = found.items.at(-1);
    const next =
      isLast || last === undefined || query.sortBy !== 'waitingSince' ? {} : { next: placeOf(last) };
    return { ...found, ...next, items: await viewWaitingChats(tx, actor, found.items) };
  });
}

/** Adds to chats what readers of the queue see. */
export async function viewWaitingChats(
  tx: Tx,
  actor: Actor,
  chats: Parameters<typeof viewChats>[2],
): Promise<WaitingChat[]> {
  if (chats.length === 0) return [];
  const [views, messages] = await Promise.all([
    viewChats(tx, actor, chats),
    lastMessagesOf(
      tx,
      chats.map(({ id }) => id),
    ),
  ]);
  const lastMessages = new Map(messages.map((message) => [message.chatId, message]));
  return views.map((view) => ({ ...view, lastMessage: lastMessages.get(view.id) }));
}

/** The place of a chat in the queue, as callers send it back. */
function placeOf({ needsResponseSince, id }: Pick<ChatView, 'needsResponseSince' | 'id'>): string {
  return `${needsResponseSince?.getTime() ?? 0}.${id}`;
}

function placeAfter(text: string, { sortBy, page }: Pick<PageRequest, 'sortBy' | 'page'>): QueuePlace {
  const [, since, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (since === undefined) throw InvalidInput.field('/after', 'must be next of an earlier page');
  if (sortBy !== 'waitingSince') throw InvalidInput.field('/sortBy', 'must be waitingSince with after');
  if (page !== 1) throw InvalidInput.field('/page', 'must be 1 with after');
  return { since: new Date(Number(since)), id: Number(id) };
}
