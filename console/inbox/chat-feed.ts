import type { Schemas } from '../kit/api.js';

export type Chat = Schemas['ChatResponse'];
export type Message = Schemas['OpenAIMessageResponse'];
type Typing = Schemas['TypingEvent'];

/** What is known of an open chat. */
export interface ChatFeed {
  chat?: Chat | undefined;
  /** In the order in which they were written. */
  messages: readonly Message[];
  /** Whether earlier messages have not been read. */
  hasEarlier: boolean;
  /** The messages that came by events since messages were last asked for: they are newer than the answer. */
  told: ReadonlySet<string>;
  /** The reply that the agent is writing. */
  draft?: Draft | undefined;
  typing: readonly Typing[];
}

interface Draft {
  turn: string;
  round: number;
  text: string;
}

export const emptyFeed: ChatFeed = { messages: [], hasEarlier: false, told: new Set(), typing: [] };

type Event<Name extends string, Data> = { event: Name; data: Data };
export type ChatEvent =
  | Event<'chat.snapshot' | 'chat.updated', Schemas['ChatSnapshotEvent']>
  | Event<'message.created', Schemas['MessageCreatedEvent']>
  | Event<'message.updated', Schemas['MessageUpdatedEvent']>
  | Event<'typing', Typing>
  | Event<'reply.delta', Schemas['ReplyDeltaEvent']>
  | Event<'reply.dropped', Schemas['ReplyDroppedEvent']>;

/** The feed after an event of the chat's stream. */
export function afterEvent(feed: ChatFeed, { event, data }: ChatEvent): ChatFeed {
  switch (event) {
    case 'chat.snapshot':
      return { ...feed, chat: data.chat, draft: undefined, typing: [] };
    case 'chat.updated':
      return { ...feed, chat: data.chat };
    case 'message.created':
      return afterMessage(feed, data);
    case 'message.updated':
      return withMessage(feed, data.message);
    case 'typing': {
      const others = feed.typing.filter((one) => one.memberId !== data.memberId);
      return { ...feed, typing: data.active ? [...others, data] : others };
    }
    case 'reply.delta':
      return { ...feed, draft: afterPiece(feed.draft, data) };
    case 'reply.dropped':
      return isOf(feed.draft, data) ? { ...feed, draft: undefined } : feed;
  }
}

/** The feed when messages are asked for. */
export const whileAsking = (feed: ChatFeed): ChatFeed => ({ ...feed, told: new Set() });

/** A page of messages, the newest first, as the API lists them: the last ones, or those before what is known. */
export interface MessagesPage {
  messages: readonly Message[];
  isLast: boolean;
  hasEarlier: boolean;
}

/** The feed with a page of messages that was asked for. The order of the API and of the events is kept. */
export function afterPage(feed: ChatFeed, { messages, isLast, hasEarlier }: MessagesPage): ChatFeed {
  const { messages: known, told } = feed;
  const knownById = new Map(known.map((message) => [message.id, message]));
  const read = [...messages]
    .reverse()
    .map((message) => (told.has(message.id) ? (knownById.get(message.id) ?? message) : message));
  const readIds = new Set(read.map(({ id }) => id));
  const first = known.findIndex(({ id }) => readIds.has(id));
  // Without a message in common, there is a gap before the last page: what is older is read again when it is asked for.
  const before = first === -1 ? [] : known.slice(0, first);
  const after = known.slice(Math.max(first, 0)).filter(({ id }) => !readIds.has(id));
  return {
    ...feed,
    messages: [
      ...before,
      ...read,
      ...(isLast && first === -1 ? after.filter(({ id }) => told.has(id)) : after),
    ],
    hasEarlier: before.length > 0 ? feed.hasEarlier : hasEarlier,
  };
}

function afterMessage(feed: ChatFeed, { message, reply }: Schemas['MessageCreatedEvent']): ChatFeed {
  const isReply = reply !== undefined && isOf(feed.draft, reply);
  const isWriter = (one: Typing) => one.memberId === (message.memberId ?? null) && one.role === message.role;
  return {
    ...withMessage(feed, message),
    draft: isReply ? undefined : feed.draft,
    typing: feed.typing.filter((one) => !isWriter(one)),
  };
}

/** A message that is known is replaced in its place; a new one comes last. */
function withMessage(feed: ChatFeed, message: Message): ChatFeed {
  const { messages } = feed;
  const isKnown = messages.some(({ id }) => id === message.id);
  return {
    ...feed,
    told: new Set([...feed.told, message.id]),
    messages: isKnown
      ? messages.map((one) => (one.id === message.id ? message : one))
      : [...messages, message],
  };
}

/** A piece out of turn means that the beginning was missed: the message itself will come. */
function afterPiece(draft: Draft | undefined, piece: Schemas['ReplyDeltaEvent']): Draft | undefined {
  const { turn, round, index, text } = piece;
  if (index === 0) return { turn, round, text };
  return draft !== undefined && isOf(draft, piece) ? { turn, round, text: draft.text + text } : draft;
}

function isOf(draft: Draft | undefined, { turn, round }: { turn: string; round: number }): boolean {
  return draft?.turn === turn && draft.round === round;
}
