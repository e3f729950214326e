import { selectEntriesBetween, type TimelineEntryDetails } from '../../../db/assignments/timeline-entries.js';
import { selectCallChanges } from '../../../db/calls/calls-of-chat.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { selectMessageChanges } from '../../../db/conversations/chat-changes.js';
import { findChat } from '../../../db/conversations/chats.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Database } from '../../../db/database.js';
import type { ChatPlace } from '../../../db/live/notices.js';
import { type ChatDetails, readChatDetails, waitingCallsOf } from '../chats/chat-view.js';
import { namesOfColleagues } from '../chats/names-of-colleagues.js';

/** A change in a chat, as it is sent to followers. Revisions order the changes of a chat. */
export type ChatChange =
  | {
      kind: 'message.created' | 'message.updated';
      revision: number;
      message: MessageRow;
      /** The name of the colleague who wrote it. */
      authorName: string | null;
    }
  | { kind: 'chat.updated'; revision: number; chat: ChatDetails }
  | { kind: 'call.updated'; revision: number; call: PhoneCallRow }
  | { kind: 'timeline.added'; revision: number; entries: readonly TimelineEntryDetails[] };

/** All changes after the revision `after`, up to and including `upTo`, in order. */
export interface ChangeBatch {
  after: number;
  upTo: number;
  changes: readonly ChatChange[];
  /** False if there are more changes after `upTo`. */
  complete: boolean;
}

const pageSize = 50;

/**
 * Reads the changes in a chat after a revision; undefined if the chat is gone. Later statements of the transaction may
 * see newer commits than the chat's row; changes beyond the row's revision are left for the next read.
 */
export async function readChanges(
  db: Database,
  { workspaceId, chatId }: ChatPlace,
  after: number,
): Promise<ChangeBatch | undefined> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const chat = await findChat(tx, chatId);
    if (chat === undefined) return undefined;
    if (chat.revision <= after) return { after, upTo: after, changes: [], complete: true };

    const page = { after, upTo: chat.revision, limit: pageSize };
    const [messages, timeline, calls] = await Promise.all([
      selectMessageChanges(tx, chatId, page),
      chat.timelineRevision > after ? selectEntriesBetween(tx, chatId, page) : undefined,
      chat.callRevision > after ? selectCallChanges(tx, chatId, page) : [],
    ]);
    const messagesTo = messages.complete ? page.upTo : (messages.changes.at(-1)?.revision ?? page.upTo);
    const callsTo = calls.length < pageSize ? page.upTo : (calls.at(-1)?.revision ?? page.upTo);
    const upTo = Math.min(messagesTo, callsTo, timeline?.readTo ?? page.upTo);
    const nameOf = await namesOfColleagues(
      tx,
      messages.changes.map(({ message }) => message),
    );
    const changes: ChatChange[] = messages.changes.map(({ revision, isNew, message }) => ({
      kind: isNew ? 'message.created' : 'message.updated',
      revision,
      message,
      authorName: nameOf(message),
    }));
    if (chat.changedRevision > after && chat.changedRevision <= upTo) {
      const [complete, waiting] = await Promise.all([
        readChatDetails(tx, [chatId]),
        waitingCallsOf(tx, [chat]),
      ]);
      changes.push({ kind: 'chat.updated', revision: chat.changedRevision, chat: complete(chat, waiting) });
    }
    changes.push(...additionsOf(timeline?.entries ?? []));
    changes.push(...calls.map((call) => ({ kind: 'call.updated', revision: call.revision, call }) as const));
    const inOrder = changes
      .filter(({ revision }) => revision <= upTo)
      .sort((one, other) => one.revision - other.revision);
    return { after, upTo, changes: inOrder, complete: upTo === page.upTo };
  });
}

/** The entries of each revision as one change. */
function additionsOf(entries: readonly TimelineEntryDetails[]): ChatChange[] {
  const byRevision = new Map<number, TimelineEntryDetails[]>();
  for (const entry of entries) {
    const added = byRevision.get(entry.revision);
    if (added === undefined) byRevision.set(entry.revision, [entry]);
    else added.push(entry);
  }
  return [...byRevision].map(([revision, added]) => ({ kind: 'timeline.added', revision, entries: added }));
}
