import type { Invariant } from './invariant.js';

const toldOnce: Invariant = {
  name: 'chats-are-told-of-once',
  says: 'every chat that was started is told of once, and no other',
  check({ chats, events }) {
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

export const eventInvariants: readonly Invariant[] = [toldOnce];
