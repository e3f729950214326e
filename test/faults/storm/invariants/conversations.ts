import type { ChatFact, Evidence, Invariants, MessageFact } from '../evidence.js';
import { groupBy } from '../group-by.js';

const keyword = /^(STOP|START)$/;

/** What was said in each chat; STOP and START are between the member and the carrier. */
function conversations({ chats, messages }: Evidence): { chat: ChatFact; said: MessageFact[] }[] {
  const ofChat = groupBy(messages, ({ chatId }) => chatId);
  return chats.map((chat) => ({
    chat,
    said: (ofChat.get(chat.id) ?? []).filter((message) => isSaid(message) && !isAboutKeyword(message)),
  }));
}

const isSaid = ({ role, text }: MessageFact): boolean =>
  (role === 'user' || role === 'assistant') && text !== null;
/** The answers to them have no author. */
const isAboutKeyword = ({ role, text, memberId }: MessageFact): boolean =>
  role === 'user' ? keyword.test(text ?? '') : memberId === null;

/** The agent took it as the choice that concludes the assignment: there is nothing more to say. */
function ledToTheEnd({ assignments, messages }: Evidence, heard: MessageFact): boolean {
  const isOver = assignments.some(({ chatId, status }) => chatId === heard.chatId && status === 'completed');
  return isOver && messages.some((act) => act.chatId === heard.chatId && act.id > heard.id && isAct(act));
}

/** By a turn, or in a call, in which the agent hears what is written meanwhile. */
const isAct = ({ role, text, turnUuid, callItemId }: MessageFact): boolean =>
  role === 'assistant' && text === null && (turnUuid ?? callItemId) !== null;

export const conversationInvariants: Invariants = {
  /** Whoever wrote has an answer, was led to the end by the agent, or a person was told to answer. */
  'everyone-is-answered': (evidence) =>
    conversations(evidence).flatMap(({ chat, said }) => {
      const last = said.at(-1);
      const nobodyOwes = chat.paused || chat.needsResponse || !chat.assistantEnabled || chat.archived;
      if (nobodyOwes) return [];
      const found: string[] = [];
      if (last?.role === 'user' && !ledToTheEnd(evidence, last)) {
        found.push(`message ${last.id} of chat ${chat.id} has no answer`);
      }
      if (chat.version > chat.handledVersion) {
        found.push(`chat ${chat.id} is at version ${chat.version}, and ${chat.handledVersion} is handled`);
      }
      return found;
    }),
  /** What a chat had come to was answered once. */
  'one-reply-per-version'({ messages }) {
    const replies = messages.filter(({ text, turnVersion }) => text !== null && turnVersion !== null);
    return [...groupBy(replies, ({ chatId, turnVersion }) => `version ${turnVersion} of chat ${chatId}`)]
      .filter(([, same]) => same.length > 1)
      .map(
        ([version, same]) => `${version} was answered by messages ${same.map(({ id }) => id).join(' and ')}`,
      );
  },
  /** Every turn that said or did something is on the bill. */
  'reply-has-a-model-call'({ messages, turnsAsked }) {
    const asked = new Set(turnsAsked);
    return messages
      .filter(({ turnUuid }) => turnUuid !== null && !asked.has(turnUuid))
      .map(
        ({ id, turnUuid }) => `message ${id} is of turn ${turnUuid}, for which no model call is written down`,
      );
  },
  /** A paused chat in which the member spoke last needs a response; one that a colleague answered does not. */
  'needs-response-is-true': (evidence) =>
    conversations(evidence).flatMap(({ chat, said }) => {
      const last = said.at(-1);
      if (chat.paused && !chat.archived && last?.role === 'user' && !chat.needsResponse) {
        return [`chat ${chat.id} is paused, message ${last.id} waits, and nobody is told`];
      }
      const byColleague = last?.role === 'assistant' && last.memberId === evidence.operatorMemberId;
      // That a newer chat takes the replies is nothing that a message answers, and a message may not have been delivered.
      const isUnanswered = !['superseded', 'delivery_failed'].includes(chat.needsResponseReason ?? '');
      if (byColleague && chat.needsResponse && isUnanswered) {
        return [`chat ${chat.id} needs a response, though message ${last.id} of a colleague is the last`];
      }
      return [];
    }),
  /** Messages that were accepted one after the other stand in that order. */
  'heard-in-order'({ ledger, messages }) {
    const places = ledger.flatMap((entry) => {
      const accepted = entry.attempts.find(({ outcome }) => outcome === 'accepted');
      // Mails have a run each, and may overtake each other.
      if (accepted === undefined || entry.operation.kind === 'email') return [];
      const message = messages.find((candidate) =>
        entry.sid === undefined
          ? candidate.chatId === entry.chatId && candidate.text?.startsWith(`${accepted.marker} `)
          : candidate.carrierMessageId === entry.sid,
      );
      const { index, lane } = entry.operation;
      return message === undefined
        ? []
        : [{ index, subject: `${lane} in chat ${message.chatId}`, id: message.id }];
    });
    return [...groupBy(places, ({ subject }) => subject)].flatMap(([subject, written]) =>
      written
        .toSorted((one, other) => one.index - other.index)
        .flatMap(({ index, id }, place, all) => {
          const before = all[place - 1];
          return before === undefined || before.id < id
            ? []
            : [`${subject}: operation ${index} stands before operation ${before.index}`];
        }),
    );
  },
};

export const eventInvariants: Invariants = {
  /** What is written, sent, failed, begun, entered and ended is told of as often as it happened. */
  'facts-are-told-of-once'({ mistold }) {
    return mistold.map(({ fact, wanted, told }) => `${fact} is told of ${told} times, not ${wanted}`);
  },
  /** Every chat that was started is told of once, and no other. */
  'chats-are-told-of-once'({ chats, events }) {
    const told = events.flatMap(({ eventType, chatId }) => (eventType === 'chat:created' ? [chatId] : []));
    const started = new Set(chats.map(({ id }) => id));
    const wrong = chats
      .map(({ id }) => ({ id, times: told.filter((chatId) => chatId === id).length }))
      .filter(({ times }) => times !== 1);
    return [
      ...wrong.map(({ id, times }) => `chat ${id} is told of ${times} times`),
      ...told
        .filter((id) => id === null || !started.has(id))
        .map((id) => `chat ${id ?? '?'} was not started`),
    ];
  },
};
