import { selectEntriesBetween, type TimelineEntryDetails } from '../../../db/assignments/timeline-entries.js';
import { selectCallChanges } from '../../../db/calls/calls-of-chat.js';
import type { PhoneCallRow } from '../../../db/calls/phone-calls.js';
import { findRevisions, selectMessageChanges } from '../../../db/conversations/chat-changes.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import type { Database } from '../../../db/database.js';
import type { ChatPlace } from '../../../db/live/notices.js';
import { type ChatDetails, findChatDetails } from '../chats/chat-view.js';
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
const newest = 2 ** 31 - 1;

/**
 * Reads the changes in a chat after a revision; undefined if the chat is gone. Later statements of the transaction may
 * see newer commits than the first, which reads the chat's revisions; changes beyond them are left for the next read.
 * For messages, which most changes are, all statements are sent together.
 */
export async function readChanges(
  db: Database,
  { workspaceId, chatId }: ChatPlace,
  after: number,
): Promise<ChangeBatch | undefined> {
  return db.readInWorkspace(workspaceId, async (tx) => {
    const [chat, messages] = await Promise.all([
      findRevisions(tx, chatId),
      selectMessageChanges(tx, chatId, { after, upTo: newest, limit: pageSize }),
    ]);
    if (chat === undefined) return undefined;
    if (chat.revision <= after) return { after, upTo: after, changes: [], complete: true };

    const page = { after, upTo: Math.min(chat.revision, messages.readTo), limit: pageSize };
    const hasChanged = chat.changedRevision > after && chat.changedRevision <= page.upTo;
    const [nameOf, details, timeline, calls] = await Promise.all([
      namesOfColleagues(
        tx,
        messages.changes.map(({ message }) => message),
      ),
      hasChanged ? findChatDetails(tx, chatId) : undefined,
      chat.timelineRevision > after ? selectEntriesBetween(tx, chatId, page) : undefined,
      chat.callRevision > after ? selectCallChanges(tx, chatId, page) : [],
    ]);
    if (hasChanged && details === undefined) return undefined;
    const callsTo = calls.length < pageSize ? page.upTo : (calls.at(-1)?.revision ?? page.upTo);
    const upTo = Math.min(page.upTo, callsTo, timeline?.readTo ?? page.upTo);
    const changes: ChatChange[] = messages.changes.map(({ revision, isNew, message }) => ({
      kind: isNew ? 'message.created' : 'message.updated',
      revision,
      message,
      authorName: nameOf(message),
    }));
    if (details !== undefined) {
      changes.push({ kind: 'chat.updated', revision: chat.changedRevision, chat: details });
    }
    changes.push(...additionsOf(timeline?.entries ?? []));
    changes.push(...calls.map((call) => ({ kind: 'call.updated', revision: call.revision, call }) as const));
    const inOrder = changes
      .filter(({ revision }) => revision <= upTo)
      .sort((one, other) => one.revision - other.revision);
    return { after, upTo, changes: inOrder, complete: upTo === chat.revision };
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
