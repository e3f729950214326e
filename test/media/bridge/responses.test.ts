import { describe, expect, test } from 'vitest';
import { call, plain, Stage, speaking } from './stage.js';

describe('responses', () => {
  test('there is one at a time: what is owed waits for the end', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.voice.news({ ...plain, notes: ['The member wrote: hi'] });
    expect(stage.responds).toBe(1);
    stage.answer('Hello');
    expect(stage.responds).toBe(2);
  });

  test('after a cancellation the next one waits for the report of the end', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    expect(stage.responds).toBe(1);
    stage.refuse('response_cancel_not_active');
    expect(stage.responds).toBe(1);
    stage.endResponse(responseId, { status: 'completed' });
    expect(stage.responds).toBe(2);
  });

  test('a refusal of the cancelling of a response that never began frees the way', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.say('Hello?');
    expect(stage.asked.at(-1)).toBe('cancel any');
    stage.refuse('response_cancel_not_active');
    expect(stage.responds).toBe(2);
  });

  test('a late refusal of an earlier cancelling does not concern the next response', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    const cancelEvent = stage.session.lastEvent;
    stage.endResponse(responseId, { status: 'completed' });
    stage.begin();
    stage.refuse('response_cancel_not_active', cancelEvent);
    expect(stage.responds).toBe(2);
    expect(stage.closed).toBeUndefined();
  });

  test('an active one that nobody knows of is cancelled, and the call goes on', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const eventId = stage.session.lastEvent;
    stage.refuse('conversation_already_has_active_response', eventId);
    expect(stage.asked.at(-1)).toBe('cancel any');
    expect(stage.responds).toBe(1);
    stage.cancelled('stranger');
    expect(stage.responds).toBe(2);
  });

  test('such a one that has ended meanwhile blocks nothing', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const { lastEvent } = stage.session;
    stage.refuse('conversation_already_has_active_response', lastEvent);
    stage.refuse('response_cancel_not_active');
    expect(stage.responds).toBe(2);
  });

  test('a response that was not asked for is cancelled, and its calls are not run', () => {
    const stage = Stage.opened();
    stage.event({ type: 'response_begun', responseId: 'x', request: undefined });
    expect(stage.asked).toEqual(['cancel x']);
    stage.endResponse('x', { status: 'completed', calls: [call('c1')] });
    expect(stage.toolRuns).toEqual([]);
    expect(stage.asked[1]).toContain('output c1 {"ok":false,"error":"interrupted"');
  });

  test('refusals of other requests end nothing', () => {
    const { stage } = speaking(1);
    stage.refuse('invalid_value', 'e99');
    stage.event({ type: 'refused', code: 'invalid_value', eventId: undefined });
    expect(stage.closed).toBeUndefined();
  });

  test('one that was not asked for, and ended beside another, does not end the session of that', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.event({ type: 'response_begun', responseId: 'x', request: undefined });
    stage.cancelled('x');
    const responseId = stage.begin();
    stage.speak(responseId, 'Good ');
    stage.clock.move(4_000);
    expect([stage.session.isClosed, stage.connects]).toEqual([false, 0]);
    stage.clock.move(2_000);
    expect(stage.asked.at(-1)).toBe(`cancel ${responseId}`);
  });

  test('refusals that no response depends on are told', () => {
    const { stage } = speaking(1);
    stage.refuse('invalid_value', 'e99');
    stage.say('Stop');
    const { lastEvent: eventId } = stage.session;
    stage.refuse('response_cancel_not_active', eventId);
    stage.cancelled('r1');
    stage.refuse('response_cancel_not_active', eventId);
    expect(stage.refusals).toEqual(['invalid_value']);
  });

  test('usage is booked, also of a cancelled one', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, totalTokens: 2 };
    stage.endResponse(responseId, { status: 'cancelled', usage });
    expect(stage.booked).toEqual([responseId]);
  });

  describe('whose end is not reported any more', () => {
    const lost: [string, (stage: Stage) => void][] = [
      ['the session is lost', (stage) => stage.lose()],
      ['the caller hangs up', (stage) => stage.voice.finish('caller_left')],
    ];

    test.each(lost)('is booked by an estimate of its first words when %s', (_, lose) => {
      const { stage, responseId } = speaking(3);
      lose(stage);
      expect(stage.usage).toMatchObject([
        { responseId, cachedTokens: 0, completionTokens: 16, audioOutputTokens: 16, isEstimated: true },
      ]);
      expect(stage.usage[0]?.promptTokens).toBeGreaterThanOrEqual(100);
    });

    test.each(lost)('has read what the one before it has read and said, when %s', (_, lose) => {
      const { stage, responseId } = speaking(1);
      const sounds = { audioInputTokens: 30, audioOutputTokens: 40 };
      const usage = {
        promptTokens: 900,
        completionTokens: 60,
        cachedTokens: 500,
        totalTokens: 960,
        ...sounds,
      };
      stage.endResponse(responseId, { usage });
      stage.play();
      stage.say('Go on');
      const next = stage.begin();
      stage.speak(next, 'Well');
      lose(stage);
      expect(stage.usage).toEqual([
        { responseId, ...usage },
        {
          responseId: next,
          promptTokens: 960,
          cachedTokens: 500,
          audioInputTokens: 70,
          completionTokens: 4,
          audioOutputTokens: 4,
          totalTokens: 964,
          isEstimated: true,
        },
      ]);
    });

    test.each(lost)('is booked once, and not at all before it has begun, when %s', (_, lose) => {
      const stage = Stage.opened({ firstWords: 'Greet.' });
      lose(stage);
      stage.voice.finish('caller_left');
      expect(stage.usage).toEqual([]);
      const begun = speaking(1).stage;
      lose(begun);
      begun.voice.finish('caller_left');
      expect(begun.usage).toHaveLength(1);
    });
  });
});
