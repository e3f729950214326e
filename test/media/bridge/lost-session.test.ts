import { describe, expect, test } from 'vitest';
import { Stage, soundsIn, speaking } from './stage.js';

describe('a session that is lost', () => {
  test('is replaced; what is played goes on, and what is owed is owed', () => {
    const { stage } = speaking(1);
    const before = stage.sent.length;
    stage.lose();
    expect(stage.connects).toBe(1);
    expect(stage.sent.slice(before).filter((sent) => sent === 'clear')).toEqual([]);
    stage.open();
    expect(stage.asked[0]).toBe('tell assistant Good morning to you');
    expect(stage.asked[1]).toContain('Go on where you were');
    expect(stage.responds).toBe(1);
    stage.play();
    expect(stage.texts).toEqual(['Good morning to you']);
  });

  test('before the first words is told them again, and not to go on', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.lose();
    stage.open({ firstWords: 'Greet.' });
    expect(stage.asked).toEqual(['tell system Greet.', 'respond']);
  });

  test.each([
    ['as soon as they are opened are not replaced without an end', 9_999, 'model_lost'],
    ['now and then are replaced', 10_000, undefined],
  ] as const)('one after the other %s', (_, afterMs, closed) => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 3; times += 1) {
      expect(stage.closed).toBeUndefined();
      // Signs of life, of which nothing comes.
      const responseId = stage.begin();
      for (let left = afterMs; left > 0; left -= 5_000) {
        stage.clock.move(Math.min(left, 5_000));
        stage.event({ type: 'item_begun', responseId, itemId: 'i9', kind: 'call' });
      }
      stage.lose('ws_1011');
      if (times < 3) stage.open();
    }
    expect(stage.closed).toBe(closed);
  });

  test('after an answer does not count with one before it', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 4; times += 1) {
      stage.answer('Hello');
      stage.play();
      stage.lose();
      stage.open();
      stage.say('And now?', `u${times}`);
    }
    expect(stage.closed).toBeUndefined();
  });

  test('while the sound is held, and whose carrier sends no marks, does not leave the agent speaking', () => {
    const { stage } = speaking(1);
    stage.clock.move(2_500);
    stage.startSpeech();
    stage.clock.move(1_400);
    stage.lose();
    stage.clock.move(401 + 3_000);
    expect(stage.texts).toEqual(['Good morning to you']);
  });

  test('while nothing was owed leaves the agent quiet', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.answer('Hello');
    stage.play();
    stage.lose('ws_1001');
    stage.open();
    expect(stage.asked).toEqual([]);
  });

  test('does not touch items of the earlier one', () => {
    const { stage } = speaking(2);
    stage.lose();
    stage.open();
    stage.begin();
    stage.say('Stop');
    expect(stage.asked.filter((asked) => /truncate|delete/.test(asked))).toEqual([]);
    expect(stage.stored[0]).toMatchObject({ by: 'agent', text: 'Good', cut: { atMs: 400 } });
  });

  test('during an undecided interruption lets the agent go on', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    const before = stage.sent.length;
    stage.lose();
    expect(soundsIn(stage.sent.slice(before))).toEqual([100, 100, 200]);
  });

  test('events of the earlier session are not heard any more', () => {
    const stage = Stage.opened();
    const earlier = stage.session;
    stage.lose();
    stage.event({ type: 'speech_started', itemId: 'u1', atMs: 0 });
    stage.open();
    stage.voice.take(1, { type: 'heard', itemId: 'u9', afterItemId: null });
    expect(stage.responds).toBe(0);
    expect(earlier.asked).toEqual([]);
  });

  test('if none can be had the model is lost', () => {
    const stage = Stage.opened();
    stage.lose();
    stage.voice.refused();
    expect(stage.closed).toBe('model_lost');
  });

  test('before the hour is over it is replaced at a pause', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.answer('Hello');
    stage.clock.move(55 * 60_000);
    expect(stage.session.isClosed).toBe(true);
    expect(stage.connects).toBe(1);
    stage.frames(3);
    stage.open();
    expect(stage.session.appended).toHaveLength(3);
    expect(stage.responds).toBe(0);
  });

  test('it is not replaced in the middle of a sentence', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.answer('Hello');
    stage.play();
    stage.say('A question');
    const responseId = stage.begin();
    for (let minute = 0; minute < 56 * 12; minute += 1) {
      stage.clock.move(5_000);
      stage.event({ type: 'item_begun', responseId, itemId: 'i9', kind: 'message' });
    }
    expect(stage.connects).toBe(0);
    stage.endResponse(responseId);
    stage.answer('Hm');
    stage.play();
    expect(stage.connects).toBe(1);
  });
});

describe('a side that takes nothing', () => {
  test('the carrier: the model is not read until it does', () => {
    const { stage } = speaking(1);
    stage.stream.bufferedBytes = 300_000;
    stage.sound('r1', 'i1', 20);
    expect(stage.session.isPaused).toBe(true);
    stage.clock.move(1_000);
    expect(stage.session.isPaused).toBe(true);
    stage.stream.bufferedBytes = 0;
    stage.clock.move(20);
    expect(stage.session.isPaused).toBe(false);
  });

  test('the model: the carrier is not read until it does', () => {
    const stage = Stage.opened();
    stage.session.bufferedBytes = 300_000;
    stage.frames(1);
    expect(stage.stream.isPaused).toBe(true);
    stage.session.bufferedBytes = 60_000;
    stage.clock.move(20);
    expect(stage.stream.isPaused).toBe(false);
  });

  test('a model that takes nothing for ten seconds is replaced', () => {
    const stage = Stage.opened();
    stage.session.bufferedBytes = 300_000;
    stage.frames(1);
    stage.clock.move(10_100);
    expect(stage.connects).toBe(1);
    expect(stage.stream.isPaused).toBe(false);
  });
});
