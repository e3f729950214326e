import {
  selectTimelineEntries,
  type TimelineEntryDetails,
  type TimelinePlace,
} from '../../../db/assignments/timeline-entries.js';
import { type ChatRow, findChat } from '../../../db/conversations/chats.js';
import { selectMessagesFrom } from '../../../db/conversations/message-pages.js';
import type { MessageRow } from '../../../db/conversations/messages.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import { seesNotes } from '../../chat-state/chat-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { InvalidInput, NotFound } from '../../lib/errors.js';
import { type WhereItStands, whereItStands } from '../inspect-assignment.js';
import { readableAssignment } from '../require-assignment.js';
import { isShownTo, type TimelineKind, type TimelineReader, timelineKinds } from './kinds.js';

/** A message, or anything else that happened, at its place. */
export type TimelineItem = TimelinePlace & ({ message: MessageRow } | { entry: TimelineEntryDetails });

export interface Timeline {
  items: TimelineItem[];
  hasMore: boolean;
  reader: TimelineReader;
  /** Where the assignment is now, for colleagues who begin to read. */
  now?: WhereItStands & { chat: ChatRow };
}

export interface TimelineWanted {
  /** The id of an entry (`placeId`): those that follow it in this order. */
  after?: string | undefined;
  limit: number;
  order: 'asc' | 'desc';
  kinds?: readonly TimelineKind[];
}

/**
 * What happened in an assignment, in the order of commits: a page read later has nothing that belongs before its
 * beginning. @throws NotFound, Forbidden, InvalidInput
 */
export async function readTimeline(
  { db, actor, clock }: CommandContext,
  assignmentId: number,
  { after, limit, order, kinds = timelineKinds }: TimelineWanted,
): Promise<Timeline> {
  const place = after === undefined ? undefined : readPlaceId(after);
  return db.readInWorkspace(actor.workspaceId, async (tx) => {
    const assignment = await readableAssignment(tx, actor, assignmentId);
    const { chatId, memberId } = assignment;
    const reader = timelineReader(actor);
    const roleIn = (id: number) => findParticipantRole(tx, id, actor.memberId);
    const withNotes = await seesNotes(actor, { id: chatId, memberId }, roleIn);
    const shown = kinds.filter((kind) => isShownTo(reader, kind));
    const chat = await findChat(tx, chatId);
    if (chat === undefined) throw new NotFound('Chat');
    // Each statement sees what is committed when it begins, so a later one may see entries after messages that are missing.
    const range = { chatId, order, upTo: chat.revision, after: place, limit: limit + 1 };
    const [messages, entries] = await Promise.all([
      shown.includes('message') ? selectMessagesFrom(tx, { ...range, withNotes }) : noMessages,
      selectTimelineEntries(tx, { ...range, kinds: shown.filter((kind) => kind !== 'message') }),
    ]);
    const merged = inOrder(
      [
        ...messages.items.map((message) => ({ revision: message.createdRevision, entryId: 0, message })),
        ...entries.map((entry) => ({ revision: entry.revision, entryId: entry.id, entry })),
      ],
      order,
    );
    const lastMessage = merged.findLastIndex((item) => 'message' in item);
    const complete = messages.isCut ? merged.slice(0, lastMessage + 1) : merged;
    const items = complete.slice(0, limit);
    const hasMore = items.length < merged.length || messages.isCut;
    if (place !== undefined || reader === 'member') return { items, hasMore, reader };
    const stands = await whereItStands(tx, clock.now(), { chat, assignment });
    return { items, hasMore, reader, now: { ...stands, chat } };
  });
}

const noMessages = { items: [], isCut: false };

function inOrder(items: TimelineItem[], order: 'asc' | 'desc'): TimelineItem[] {
  const sign = order === 'asc' ? 1 : -1;
  return items.sort((one, other) => sign * (one.revision - other.revision || one.entryId - other.entryId));
}

/** How the actor reads timelines that it may read; the member reads its own. */
export function timelineReader(actor: Actor): TimelineReader {
  if (!actor.can('assignments:read')) return 'member';
  return actor.can('workflows:read') ? 'author' : 'colleague';
}

/** The id of what stands at a place of a timeline. */
export function placeId({ revision, entryId }: TimelinePlace): string {
  return `${revision}-${entryId}`;
}

function readPlaceId(id: string): TimelinePlace {
  const [revision = Number.NaN, entryId = Number.NaN] = id.split('-').map(Number);
  if (revision <= maxRevision && Number.isSafeInteger(entryId)) return { revision, entryId };
  throw InvalidInput.field('/after', 'is no id of an entry of a timeline');
}

/** Of PostgreSQL's integer. */
const maxRevision = 2_147_483_647;
