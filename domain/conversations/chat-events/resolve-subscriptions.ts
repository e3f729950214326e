import { findChat } from '../../../db/conversations/chats.js';
import { findParticipantRole } from '../../../db/conversations/participants.js';
import type { Tx } from '../../../db/tx.js';
import { readableAssignment } from '../../assignments/require-assignment.js';
import { isShownTo, type TimelineReader } from '../../assignments/timeline/kinds.js';
import { timelineReader } from '../../assignments/timeline/read-timeline.js';
import { readableChat, seesNotes } from '../../chat-state/chat-access.js';
import type { Actor } from '../../kernel/actor.js';
import type { CommandContext } from '../../kernel/context.js';
import { Forbidden, NotFound } from '../../lib/errors.js';
import type { ChatChange } from './read-changes.js';

/** What a reader can be told to have changed, without what it is: an assignment changes with its chat. */
export interface Topic {
  kind: 'chat' | 'messages' | 'assignment';
  /** Of the chat or of the assignment. */
  id: number;
}

export interface Subscription {
  thing: Topic;
  chatId: number;
  /** Of the chat, when it was looked at. */
  revision: number;
  /** Whether a change of the chat is one of the thing, and not hidden from the reader. */
  isChangedBy(change: ChatChange): boolean;
}

/** Looks which of these things the reader may follow. Those that it may not read are left out, as those that are not there. */
export async function resolveSubscriptions(
  { db, actor }: CommandContext,
  things: readonly Topic[],
): Promise<Subscription[]> {
  const found = await db.readInWorkspace(actor.workspaceId, (tx) =>
    Promise.all(things.map((thing) => follow(tx, actor, thing).catch(leaveOut))),
  );
  return found.filter((one) => one !== undefined);
}

function leaveOut(error: unknown): undefined {
  if (error instanceof NotFound || error instanceof Forbidden) return undefined;
  throw error;
}

async function follow(tx: Tx, actor: Actor, thing: Topic): Promise<Subscription | undefined> {
  if (thing.kind === 'assignment') {
    const { chatId } = await readableAssignment(tx, actor, thing.id);
    const chat = await findChat(tx, chatId);
    const reader = timelineReader(actor);
    return chat && { thing, chatId, revision: chat.revision, isChangedBy: (change) => adds(change, reader) };
  }
  const chat = await readableChat(tx, actor, thing.id);
  const place = { thing, chatId: chat.id, revision: chat.revision };
  if (thing.kind === 'chat') return { ...place, isChangedBy: isOfChat };
  const withNotes = await seesNotes(actor, chat, (id) => findParticipantRole(tx, id, actor.memberId));
  return { ...place, isChangedBy: (change) => isMessage(change, withNotes) };
}

function adds(change: ChatChange, reader: TimelineReader): boolean {
  return change.kind === 'timeline.added' && change.entries.some(({ kind }) => isShownTo(reader, kind));
}

function isOfChat({ kind }: ChatChange): boolean {
  return kind === 'chat.updated' || kind === 'call.updated';
}

/** A note is of another role than the messages that all readers of the chat see. */
function isMessage(change: ChatChange, withNotes: boolean): boolean {
  if (change.kind !== 'message.created' && change.kind !== 'message.updated') return false;
  return withNotes || change.message.role === 'user' || change.message.role === 'assistant';
}
