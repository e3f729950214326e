import { expect, test } from 'vitest';
import { spokenMessages } from '../../../media/relay/spoken-messages.js';
import type { ModelMessage } from '../../../providers/model/chat-model.js';

const question: ModelMessage = { role: 'user', content: 'Where is it?' };
const calls: ModelMessage[] = [
  { role: 'assistant', content: null, toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] },
  { role: 'tool', toolCallId: 'c1', content: '{"ok":true}' },
];
const filler: ModelMessage = { role: 'assistant', content: 'One moment.' };
const plain = { saying: [], notes: [], withoutOpenCalls: false };

test('what is being said stands before the tools that were called with it, and notes stand last', () => {
  expect(
    spokenMessages([question, ...calls], { ...plain, saying: ['One moment. '], notes: ['Go on.'] }),
  ).toEqual([question, filler, ...calls, { role: 'system', content: 'Go on.' }]);
  expect(spokenMessages([question], { ...plain, saying: ['One moment.'] })).toEqual([question, filler]);
});

test('calls without a result can be left out', () => {
  expect(spokenMessages([question, ...calls], { ...plain, withoutOpenCalls: true })).toEqual([question]);
  expect(spokenMessages([question, filler], { ...plain, withoutOpenCalls: true })).toEqual([
    question,
    filler,
  ]);
  expect(spokenMessages([], plain)).toEqual([]);
});
