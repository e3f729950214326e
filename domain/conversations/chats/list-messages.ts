import { type ChatOwners, findChatOwners } from '../../../db/conversations/chats.js';
import {
  countMessages,
  type ShownMessage,
  selectShownMessages,
} from '../../../db/conversations/message-pages.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import type { EnteredTx, Tx } from '../../../db/tx.js';
import { requireReadable, seesNotes } from '../../chat-state/chat-access.js';
import type { CommandContext } from '../../kernel/context.js';

export interface MessagesWanted {
  chatId: number;
  limit: number;
  offset: number;
  count: boolean;
}

interface Messages {
  messages: ShownMessage[];
  total?: number;
}

/** Reads what `listMessages` needs, before the caller is known: the page with notes included. */
export async function prefetchMessages(
  tx: EnteredTx,
  wanted: MessagesWanted,
): Promise<Messages & { chat: ChatOwners | undefined }> {
  const [chat, page] = await Promise.all([findChatOwners(tx, wanted.chatId), readPage(tx, wanted, true)]);
  return { chat, ...page };
}

/** Lists messages, newest first; `prefetched` is the result of `prefetchMessages`. @throws NotFound, Forbidden */
export async function listMessages(
  { actor, db }: CommandContext,
  wanted: MessagesWanted,
  prefetched?: Awaited<ReturnType<typeof prefetchMessages>>,
): Promise<Messages> {
  const read = <T>(work: (tx: Tx) => Promise<T>) => db.readInWorkspace(actor.workspaceId, work);
  const { chat, ...page } = prefetched ?? (await read((tx) => prefetchMessages(tx, wanted)));
  const roleIn = (chatId: number) => read((tx) => findParticipantRole(tx, chatId, actor.memberId));
  const readable = await requireReadable(actor, chat, async ({ id }) => (await roleIn(id)) !== undefined);
  if (isTheSameWithoutNotes(page, wanted) || (await seesNotes(actor, readable, roleIn))) return page;
  return read((tx) => readPage(tx, wanted, false));
}

async function readPage(
  tx: EnteredTx,
  { chatId, limit, offset, count }: MessagesWanted,
  withNotes: boolean,
): Promise<Messages> {
  const filter = { chatId, withNotes };
  const [messages, total] = await Promise.all([
    selectShownMessages(tx, filter, limit, offset),
    count ? countMessages(tx, filter) : undefined,
  ]);
  return total === undefined ? { messages } : { messages, total };
}

/** Only certain for the first page without a total, because notes outside the page count too. */
function isTheSameWithoutNotes({ messages }: Messages, { offset, count }: MessagesWanted): boolean {
  return offset === 0 && !count && messages.every(({ role }) => role === 'user' || role === 'assistant');
}
