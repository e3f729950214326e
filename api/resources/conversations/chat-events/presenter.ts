import type { Signal } from '../../../../db/live/notices.js';
import { isShownTo, type TimelineReader } from '../../../../domain/assignments/timeline/kinds.js';
import type { Audience } from '../../../../domain/conversations/chat-events/follow-chat.js';
import type { ChatChange } from '../../../../domain/conversations/chat-events/read-changes.js';
import type { ChatView } from '../../../../domain/conversations/chats/chat-view.js';
import { presentTimelineEntry } from '../../assignments/assignment-timeline/presenter.js';
import { presentChat } from '../chats/presenter.js';
import { presentMessage } from '../messages/presenter.js';
import type { ChatEvent } from './schemas.js';

export function presentSnapshot(chat: ChatView): ChatEvent {
  return { event: 'chat.snapshot', id: chat.revision, data: { chat: presentChat(chat) } };
}

type Variant = 'all' | 'colleagues' | 'senders' | 'admins' | TimelineReader;
const presented = new WeakMap<ChatChange | Signal, Partial<Record<Variant, ChatEvent>>>();

/** Presents a change as one event, shared by audiences with the same view; undefined if the audience may not see it. */
export function presentChange(change: ChatChange, audience: Audience): ChatEvent | undefined {
  if (change.kind === 'timeline.added') return presentAddition(change, audience.timeline);
  if (change.kind === 'call.updated') return once(change, 'all', () => toCallEvent(change));
  if (change.kind !== 'chat.updated' && isNote(change) && !audience.withNotes) return undefined;
  return once(change, variantOf(change, audience), () => toEvent(change, audience));
}

function variantOf({ kind }: ChangeOfChat, { reader }: Audience): Variant {
  if (kind !== 'chat.updated') return 'all';
  if (reader.canSendAsAssistant) return reader.showsQueue ? 'admins' : 'senders';
  return reader.showsQueue ? 'colleagues' : 'all';
}

export function presentSignal(signal: Signal): ChatEvent {
  return once(signal, 'all', () => {
    const { type, ...data } = signal;
    return { event: type, data } as ChatEvent;
  });
}

type Addition = Extract<ChatChange, { kind: 'timeline.added' }>;
type ChangeOfCall = Extract<ChatChange, { kind: 'call.updated' }>;
type ChangeOfChat = Exclude<ChatChange, Addition | ChangeOfCall>;

function presentAddition(added: Addition, reader: TimelineReader | undefined): ChatEvent | undefined {
  if (reader === undefined) return undefined;
  const entries = added.entries.filter(({ kind }) => isShownTo(reader, kind));
  const [first] = entries;
  if (first === undefined) return undefined;
  return once(added, reader, () => ({
    event: 'timeline.added',
    id: added.revision,
    data: {
      assignmentId: first.assignmentId,
      entries: entries.map((entry) => presentTimelineEntry(entry, reader)),
    },
  }));
}

function toCallEvent({ revision, call }: ChangeOfCall): ChatEvent {
  return { event: 'call.updated', id: revision, data: { call } };
}

function isNote({ message }: Exclude<ChangeOfChat, { kind: 'chat.updated' }>): boolean {
  return message.role !== 'user' && message.role !== 'assistant';
}

function toEvent(change: ChangeOfChat, { reader }: Audience): ChatEvent {
  const id = change.revision;
  if (change.kind === 'chat.updated') {
    return { event: 'chat.updated', id, data: { chat: presentChat({ ...change.chat, ...reader }) } };
  }
  const message = presentMessage(change.message);
  if (change.kind === 'message.updated') return { event: 'message.updated', id, data: { message } };
  const { turnUuid: turn, turnRound: round } = change.message;
  return {
    event: 'message.created',
    id,
    data: { message, ...(turn === null || round === null ? {} : { reply: { turn, round } }) },
  };
}

function once(told: ChatChange | Signal, variant: Variant, make: () => ChatEvent): ChatEvent {
  const known = presented.get(told) ?? {};
  presented.set(told, known);
  known[variant] ??= make();
  return known[variant];
}
