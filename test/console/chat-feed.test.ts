import { describe, expect, it } from 'vitest';
import {
  afterEvent,
  afterPage,
  type ChatEvent,
  emptyFeed,
  type Message,
  whileAsking,
} from '../../console/inbox/chat-feed.js';

const message = (id: number, values: Partial<Message> = {}): Message => ({
  id: String(id),
  role: 'user',
  content: `Message ${id}`,
  created_at: new Date(1_800_000_000_000 + id).toISOString(),
  tool_calls: [],
  ...values,
});
const created = (value: Message, reply?: { turn: string; round: number }): ChatEvent => ({
  event: 'message.created',
  data: { message: value, ...(reply === undefined ? {} : { reply }) },
});
const piece = (index: number, text: string, turn = 'a'): ChatEvent => ({
  event: 'reply.delta',
  data: { turn, round: 1, index, text },
});
const typing = (active: boolean): ChatEvent => ({
  event: 'typing',
  data: { memberId: 7, role: 'user', isAgent: false, active },
});
const feedAfter = (...events: ChatEvent[]) => events.reduce(afterEvent, emptyFeed);

const last = (messages: Message[], hasEarlier = false) => ({ messages, isLast: true, hasEarlier });
const earlier = (messages: Message[], hasEarlier = false) => ({ messages, isLast: false, hasEarlier });

describe('the feed of a chat', () => {
  it('has messages in the order of the API and of the events, each once', () => {
    const told = feedAfter(created(message(3)));
    const listed = afterPage(told, last([message(3), message(2), message(1)], true));
    expect(listed.messages).toEqual([message(1), message(2), message(3)]);
    expect(listed.hasEarlier).toBe(true);
    const more = afterPage(listed, earlier([message(1), message(0)]));
    expect(afterEvent(more, created(message(4))).messages).toEqual([0, 1, 2, 3, 4].map((id) => message(id)));
    expect(more.hasEarlier).toBe(false);
  });

  it('keeps the order of parts that were written at the same moment', () => {
    const at = message(0).created_at;
    const parts = [7, 3, 9].map((id) => message(id, { created_at: at }));
    expect(afterPage(emptyFeed, last([...parts].reverse())).messages).toEqual(parts);
  });

  it('has the latest form of a message, also where the list is older than the event', () => {
    const sent = message(1, { smsDeliveryStatus: 'sent' });
    const delivered = message(1, { smsDeliveryStatus: 'delivered' });
    const asked = whileAsking(afterPage(emptyFeed, last([sent])));
    const told = afterEvent(asked, { event: 'message.updated', data: { message: delivered } });
    expect(afterPage(told, last([sent])).messages).toEqual([delivered]);
    expect(afterPage(whileAsking(told), last([sent])).messages).toEqual([sent]);
  });

  it('shows no messages before a gap, and those that came while it asked', () => {
    const known = afterPage(emptyFeed, last([message(1)]));
    const told = afterEvent(whileAsking(known), created(message(9)));
    expect(afterPage(told, last([message(8), message(7)], true)).messages).toEqual([
      message(7),
      message(8),
      message(9),
    ]);
  });

  it('shows a reply as it is written, until its message comes', () => {
    const writing = feedAfter(piece(0, 'We are '), piece(1, 'open.'));
    expect(writing.draft?.text).toBe('We are open.');
    const other = afterEvent(writing, created(message(1), { turn: 'b', round: 1 }));
    expect(other.draft?.text).toBe('We are open.');
    expect(afterEvent(other, created(message(2), { turn: 'a', round: 1 })).draft).toBeUndefined();
  });

  it('begins a reply again, and drops what will not be said', () => {
    const again = feedAfter(piece(0, 'No'), piece(0, 'Yes', 'b'), piece(1, '!', 'b'));
    expect(again.draft?.text).toBe('Yes!');
    const dropped = (turn: string): ChatEvent => ({ event: 'reply.dropped', data: { turn, round: 1 } });
    expect(afterEvent(again, dropped('a')).draft?.text).toBe('Yes!');
    expect(afterEvent(again, dropped('b')).draft).toBeUndefined();
  });

  it('shows no reply whose beginning was missed', () => {
    expect(feedAfter(piece(1, 'open.')).draft).toBeUndefined();
  });

  it('says who writes until the message is there or the writer stops', () => {
    expect(feedAfter(typing(true), typing(true)).typing).toHaveLength(1);
    expect(feedAfter(typing(true), typing(false)).typing).toEqual([]);
    expect(feedAfter(typing(true), created(message(1, { memberId: 7 }))).typing).toEqual([]);
    expect(feedAfter(typing(true), created(message(1, { memberId: 8 }))).typing).toHaveLength(1);
  });
});
