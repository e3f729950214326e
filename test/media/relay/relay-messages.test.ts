import { describe, expect, test } from 'vitest';
import { PromptParts } from '../../../media/relay/prompt-parts.js';
import { endMessage, readRelayMessage, textMessage } from '../../../media/relay/relay-messages.js';

const read = (message: unknown) => readRelayMessage(JSON.stringify(message));

describe('readRelayMessage', () => {
  test('reads what a session is for, without parameters of another form', () => {
    const customParameters = { token: 't', call: 'c', count: 1, nested: {} };
    const setup = { type: 'setup', sessionId: 'VX1', callSid: 'CA1', from: '+1', customParameters };
    expect(read(setup)).toEqual({
      type: 'setup',
      streamId: 'VX1',
      carrierCallId: 'CA1',
      parameters: { token: 't', call: 'c' },
    });
    expect(read({ ...setup, customParameters: undefined })).toMatchObject({ parameters: {} });
    const many = Object.fromEntries([...Array(100).keys()].map((place) => [`p${place}`, 'v']));
    expect(
      Object.keys((read({ ...setup, customParameters: many }) as { parameters: object }).parameters),
    ).toHaveLength(20);
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no type', '{"event":"start"}'],
    ['a setup without a call', '{"type":"setup","sessionId":"VX1"}'],
    ['a prompt without words', '{"type":"prompt","last":true}'],
    ['a key that is none', '{"type":"dtmf","digit":"12"}'],
  ])('takes no %s', (_, text) => {
    expect(readRelayMessage(text)).toBeUndefined();
  });

  test('reads prompts, whole unless they say otherwise, and no more of them than a person says', () => {
    expect(read({ type: 'prompt', voicePrompt: 'Hi', lang: 'en-US', last: true })).toEqual({
      type: 'prompt',
      text: 'Hi',
      isLast: true,
    });
    expect(read({ type: 'prompt', voicePrompt: 'Hi', last: false })).toMatchObject({ isLast: false });
    expect(read({ type: 'prompt', voicePrompt: 'Hi' })).toMatchObject({ isLast: true });
    expect(read({ type: 'prompt', voicePrompt: 'x'.repeat(60_000) })).toMatchObject({
      text: 'x'.repeat(8_000),
    });
  });

  test.each([
    [460, 460],
    ['460', 460],
    [460.5, 460.5],
    ['a while', undefined],
    [-1, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads that an interruption came after %o', (durationUntilInterruptMs, afterMs) => {
    const interrupt = { type: 'interrupt', utteranceUntilInterrupt: 'One two', durationUntilInterruptMs };
    expect(read(interrupt)).toEqual({ type: 'interrupt', heard: 'One two', afterMs });
    expect(read({ type: 'interrupt' })).toEqual({ type: 'interrupt', heard: '', afterMs: undefined });
  });

  test('reads who speaks, and leaves out what it does not know', () => {
    expect(read({ type: 'info', name: 'agentSpeaking', value: 'on', ts: 1 })).toEqual({
      type: 'speaking',
      who: 'agent',
      isOn: true,
    });
    expect(read({ type: 'info', name: 'clientSpeaking', value: 'off' })).toMatchObject({
      who: 'caller',
      isOn: false,
    });
    for (const other of [
      { type: 'info', name: 'tokensPlayed', value: 'Hi' },
      { type: 'info', name: 'constructor', value: 'on' },
      { type: 'info', name: 'agentSpeaking', value: true },
      { type: 'news' },
    ])
      expect(read(other)).toEqual({ type: 'other' });
  });

  test('reads keys and refusals', () => {
    expect(read({ type: 'dtmf', digit: '#' })).toEqual({ type: 'dtmf', digit: '#' });
    expect(read({ type: 'error', description: 'Invalid message received' })).toEqual({ type: 'error' });
  });
});

test('what the carrier is sent is as it takes it', () => {
  expect(JSON.parse(textMessage('“Hi” ', false))).toEqual({ type: 'text', token: '“Hi” ', last: false });
  expect(JSON.parse(endMessage)).toEqual({ type: 'end' });
});

describe('PromptParts', () => {
  test.each([
    ['one part', [['Hello', true]], 'Hello'],
    [
      'parts that follow each other',
      [
        ['Hello', false],
        ['there', true],
      ],
      'Hello there',
    ],
    [
      'parts that repeat those before',
      [
        ['Hello', false],
        ['Hello there', true],
      ],
      'Hello there',
    ],
    [
      'a last part without words',
      [
        ['Hello', false],
        ['', true],
      ],
      'Hello',
    ],
    ['nothing', [[' ', true]], undefined],
  ] satisfies [string, [string, boolean][], string | undefined][])(
    'makes a prompt of %s',
    (_, parts, whole) => {
      const prompt = new PromptParts();
      const made = parts.map(([text, isLast]) => prompt.add(text, isLast));
      expect(made.slice(0, -1).every((one) => one === undefined)).toBe(true);
      expect(made.at(-1)).toBe(whole);
      expect(prompt.add('Next', true)).toBe('Next');
    },
  );

  test('keeps no more than a person says', () => {
    const prompt = new PromptParts();
    for (let place = 0; place < 100; place += 1) prompt.add(`${place} ${'x'.repeat(1_000)}`, false);
    expect(prompt.add('end', true)?.length).toBeLessThanOrEqual(8_000);
  });
});
