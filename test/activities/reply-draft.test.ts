import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReplyDraft } from '../../activities/agent/reply-draft.js';
import type { Channel } from '../../db/conversations/chats.js';
import { type Signal, signalPayload } from '../../db/live/notices.js';

const ref = { workspaceId: 1, chatId: 2, turnUuid: '00000000-0000-4000-8000-000000000001', round: 3 };
let told: Signal[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
});
afterEach(() => vi.useRealTimers());

const draftIn = (channel: Channel) =>
  new ReplyDraft({ signal: (_place, signal) => told.push(signal) }, ref, { channel, agentMemberId: 7 });
const deltas = () => told.flatMap((signal) => (signal.type === 'reply.delta' ? [signal] : []));
const types = () => told.map(({ type }) => type);

describe('ReplyDraft', () => {
  it('sends the first piece at once, and the others at least fifty milliseconds apart', () => {
    const draft = draftIn('web-chat');
    for (const word of ['A ', 'draft ', 'of ']) draft.add(word);
    expect(deltas().map(({ text }) => text)).toEqual(['A ']);
    vi.advanceTimersByTime(49);
    expect(deltas()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    draft.add('a ');
    vi.advanceTimersByTime(50);
    draft.add('reply');
    draft.flush();
    draft.settle('replied');

    expect(deltas().map(({ text, index }) => [index, text])).toEqual([
      [0, 'A '],
      [1, 'draft of '],
      [2, 'a '],
      [3, 'reply'],
    ]);
    expect(deltas()[0]).toMatchObject({ turn: ref.turnUuid, round: ref.round });
  });

  it.each(['interrupted', 'nothing_to_say', 'tools', 'failed'] as const)(
    'sends reply.dropped when the round ends as %s',
    (kind) => {
      const draft = draftIn('web-chat');
      draft.add('words');
      draft.settle(kind);
      expect(types()).toContain('reply.dropped');
    },
  );

  it('does not send reply.dropped when the reply was stored or no draft was sent', () => {
    const stored = draftIn('web-chat');
    stored.add('words');
    stored.settle('replied');
    draftIn('web-chat').settle('interrupted');
    expect(types()).not.toContain('reply.dropped');
  });

  it('splits any text into pieces that fit into notifications', () => {
    const draft = draftIn('web-chat');
    const text = `${'\u0001'.repeat(3_000)}${'😀'.repeat(3_000)}${'é"\\'.repeat(1_000)}`;
    draft.add(text);
    draft.settle('replied');

    expect(() => told.map((signal) => signalPayload(ref, signal))).not.toThrow();
    expect(
      deltas()
        .map((delta) => delta.text)
        .join(''),
    ).toBe(text);
    expect(deltas().every((delta) => !/\p{Surrogate}/u.test(delta.text))).toBe(true);
  });

  it('sends typing notices until the round is settled', () => {
    const draft = draftIn('phone-sms');
    vi.advanceTimersByTime(9_000);
    expect(told).toHaveLength(3);
    draft.settle('replied');
    vi.advanceTimersByTime(60_000);

    expect(told).toHaveLength(4);
    expect(told.at(-1)).toEqual({
      type: 'typing',
      memberId: 7,
      role: 'assistant',
      isAgent: true,
      active: false,
    });
  });

  it('types at once in a web chat, and elsewhere only where the reply takes longer', () => {
    draftIn('web-chat').settle('replied');
    expect(told).toMatchObject([{ active: true }, { active: false }]);
    told = [];

    const draft = draftIn('phone-sms');
    vi.advanceTimersByTime(249);
    draft.settle('replied');

    expect(told).toMatchObject([{ active: false }]);
  });

  it('sends pieces in web chats only', () => {
    const channels: Channel[] = ['web-chat', 'phone-sms', 'phone-voice', 'email'];
    expect(channels.map((channel) => draftIn(channel).isTold)).toEqual([true, false, false, false]);
  });
});
