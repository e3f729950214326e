import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../../db/conversations/messages.js';
import { DraftGate } from '../../../../domain/conversations/chat-events/draft-gate.js';
import type { ChatChange } from '../../../../domain/conversations/chat-events/read-changes.js';
import type { ChatDetails } from '../../../../domain/conversations/chats/chat-view.js';

const speaking = { assistantEnabled: true, paused: false, archived: false, agentStoppedReason: null };
const chat = (changes: Partial<ChatDetails> = {}) => ({ ...speaking, ...changes }) as ChatDetails;
const changed = (changes: Partial<ChatDetails> = {}): ChatChange => ({
  kind: 'chat.updated',
  revision: 1,
  chat: chat(changes),
});
const stored = (turnUuid: string | null, turnRound: number | null): ChatChange => ({
  kind: 'message.created',
  revision: 2,
  message: { turnUuid, turnRound } as MessageRow,
  authorName: null,
});
const piece = (turn: string, index = 0, round = 0) =>
  ({ type: 'reply.delta', turn, round, index, text: 'word ' }) as const;
const dropped = (turn: string, round = 0) => ({ type: 'reply.dropped', turn, round }) as const;
const typing = (isAgent: boolean, active: boolean) =>
  ({ type: 'typing', memberId: 1, role: isAgent ? 'assistant' : 'user', isAgent, active }) as const;

describe('DraftGate with a draft', () => {
  it('admits every piece while the agent may speak', () => {
    const gate = new DraftGate(chat());
    expect(gate.admits(piece('a'))).toBe(true);
    expect(gate.after(changed({ title: 'New' }))).toBeUndefined();
    expect(gate.admits(piece('a', 1))).toBe(true);
    expect(gate.admits(dropped('a'))).toBe(true);
  });

  it.each([{ paused: true }, { archived: true }, { assistantEnabled: false }])(
    'drops the draft at once, and only once, on %j',
    (changes) => {
      const gate = new DraftGate(chat());
      gate.admits(piece('a'));
      expect(gate.after(changed(changes))).toEqual(dropped('a'));
      expect(gate.after(changed({ ...changes, title: 'New' }))).toBeUndefined();
      expect(gate.admits(piece('a', 1))).toBe(false);
      expect(gate.admits(dropped('a'))).toBe(false);
    },
  );

  it('keeps a draft dropped when the agent may speak again, and admits the next one', () => {
    const gate = new DraftGate(chat());
    gate.admits(piece('a'));
    gate.after(changed({ paused: true }));
    gate.after(changed());
    expect(gate.admits(piece('a', 1))).toBe(false);
    expect(gate.admits(piece('a', 0, 1))).toBe(true);
    expect(gate.admits(piece('b'))).toBe(true);
  });

  it('admits no piece of a draft that was under way while the chat was paused', () => {
    const gate = new DraftGate(chat({ paused: true }));
    expect(gate.admits(piece('a', 3))).toBe(false);
    expect(gate.after(changed({ paused: true }))).toBeUndefined();
    gate.after(changed());
    expect(gate.admits(piece('a', 4))).toBe(false);
    expect(gate.admits(piece('b'))).toBe(true);
  });

  it('does not drop a draft that became a message', () => {
    const gate = new DraftGate(chat());
    gate.admits(piece('a'));
    expect(gate.after(stored(null, null))).toBeUndefined();
    expect(gate.after(stored('a', 0))).toBeUndefined();
    expect(gate.after(changed({ paused: true }))).toBeUndefined();
  });

  it('drops a draft although another message was stored before', () => {
    const gate = new DraftGate(chat());
    gate.admits(piece('a'));
    gate.after(stored('b', 0));
    gate.after(stored(null, null));
    expect(gate.after(changed({ paused: true }))).toEqual(dropped('a'));
  });
});

describe('DraftGate with a typing notice', () => {
  it('admits those of people always, and those of the agent while it may speak', () => {
    const gate = new DraftGate(chat({ archived: true }));
    expect([gate.admits(typing(false, true)), gate.admits(typing(true, false))]).toEqual([true, true]);
    expect(gate.admits(typing(true, true))).toBe(false);
    gate.after(changed());
    expect(gate.admits(typing(true, true))).toBe(true);
  });
});
