import { describe, expect, test } from 'vitest';
import { call, plain, Stage, speaking } from './stage.js';

describe('an agent that makes no sound', () => {
  test('a response without a sign of life is cancelled and asked for again', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    stage.clock.move(6_000);
    expect(stage.asked.at(-1)).toBe('cancel r1');
    stage.cancelled(responseId);
    expect(stage.responds).toBe(2);
  });

  test('one that makes sound in time is left alone', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    for (let times = 0; times < 5; times += 1) {
      stage.clock.move(5_000);
      stage.sound(responseId, 'i1', 20);
    }
    expect(stage.asked).not.toContain('cancel r1');
  });

  test('a session that does not end a cancelled response is replaced', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.begin();
    stage.clock.move(9_000);
    expect(stage.session.isClosed).toBe(true);
    expect(stage.connects).toBe(1);
    stage.open();
    expect(stage.responds).toBe(1);
  });

  test('a model that stays silent in two sessions is lost', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 0; times < 4; times += 1) {
      const responseId = stage.begin();
      stage.clock.move(6_000);
      stage.cancelled(responseId);
      if (stage.connects === 1 && stage.session.isClosed) stage.open();
    }
    expect(stage.closed).toBe('model_lost');
  });

  test('sessions that do nothing at all are not replaced without an end', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 3; times += 1) {
      expect(stage.closed).toBeUndefined();
      stage.clock.move(9_000);
      if (times < 3) stage.open();
    }
    expect([stage.connects, stage.closed]).toEqual([2, 'model_lost']);
  });

  test('a session that says again and again that a response is active, and cancels none, is replaced', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 3; times += 1) {
      expect([stage.responds, stage.connects]).toEqual([times, 0]);
      stage.refuse('conversation_already_has_active_response');
      stage.refuse('response_cancel_not_active');
    }
    expect([stage.session.isClosed, stage.connects]).toEqual([true, 1]);
    stage.open();
    expect(stage.responds).toBe(1);
  });

  test('speech whose end is never reported is not waited for without an end', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct: { silenceMs: 8_000, silencePrompts: 1 } });
    stage.answer('How are you?');
    stage.play();
    stage.startSpeech();
    stage.voice.news({ ...plain, notes: ['The member has written: "late"'] });
    stage.clock.move(59_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
  });

  test('an empty answer is asked for once more, and not again', () => {
    const stage = Stage.opened();
    stage.say('Hello?');
    stage.endResponse(stage.begin());
    expect(stage.responds).toBe(2);
    stage.endResponse(stage.begin());
    expect(stage.responds).toBe(2);
    stage.say('Hello?', 'u2');
    expect(stage.responds).toBe(3);
  });

  test('marks that never come back do not leave it speaking', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct: { silenceMs: 5_000, silencePrompts: 1 } });
    stage.answer('Good ', 'day');
    stage.clock.move(400 + 3_000);
    expect(stage.texts).toEqual(['Good day']);
    stage.clock.move(5_000);
    expect(stage.responds).toBe(2);
  });

  test('after an interruption next to a tool call it answers', () => {
    const { stage, responseId } = speaking(2);
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.say('And another thing');
    expect(stage.responds).toBe(1);
    stage.toolsDone(responseId);
    expect(stage.asked.slice(-2)).toEqual(['output c1 {"ok":true}', 'respond']);
  });

  test('failures of the model are tried again, and end the call after three', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 2; times += 1) {
      stage.fail();
      expect(stage.responds).toBe(times);
      stage.clock.move(500);
      expect(stage.responds).toBe(times + 1);
    }
    stage.fail();
    expect(stage.closed).toBe('model_lost');
  });

  test('an account without a quota is not asked again', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.fail('insufficient_quota');
    expect(stage.closed).toBe('model_lost');
  });
});
