import { describe, expect, test } from 'vitest';
import { plain, Stage, speaking } from './stage.js';

describe('sound of the caller', () => {
  test('of before the session is given to it, in its order', () => {
    const stage = new Stage();
    stage.frames(50);
    stage.open();
    expect(stage.session.appended).toHaveLength(50);
    stage.frames(1);
    expect(stage.session.appended).toHaveLength(51);
  });

  test('is bounded while there is no session', () => {
    const stage = new Stage();
    stage.frames(2_000);
    stage.open();
    expect(stage.session.appended).toHaveLength(1_500);
  });

  test('times count what the session was given: what was dropped, and a new session, shift nothing', () => {
    const stage = new Stage();
    stage.frames(2_000);
    stage.open();
    stage.event({ type: 'speech_started', itemId: 'u1', atMs: 100 });
    stage.event({ type: 'speech_stopped', itemId: 'u1', atMs: 900 });
    stage.event({ type: 'heard', itemId: 'u1', afterItemId: null });
    stage.transcribe('Hello');
    expect(stage.stored[0]).toMatchObject({ startMs: 10_100, endMs: 10_900 });
    stage.lose();
    stage.frames(10);
    stage.open();
    stage.event({ type: 'speech_started', itemId: 'u2', atMs: 0 });
    stage.event({ type: 'speech_stopped', itemId: 'u2', atMs: 200 });
    stage.event({ type: 'heard', itemId: 'u2', afterItemId: null });
    stage.transcribe('Hello?', 'u2');
    expect(stage.stored[1]).toMatchObject({ startMs: 40_000, endMs: 40_200 });
  });
});

describe('transcripts', () => {
  test('are stored in the order of what was said, however they come', () => {
    const stage = Stage.opened();
    stage.utter('u1');
    stage.answer('First answer');
    stage.play();
    stage.utter('u2');
    stage.transcribe('Second', 'u2');
    expect(stage.stored).toEqual([]);
    stage.transcribe('First', 'u1');
    expect(stage.texts).toEqual(['First', 'First answer', 'Second']);
  });

  test('one that takes too long keeps nothing back, and is stored when it comes', () => {
    const stage = Stage.opened();
    stage.utter('u1');
    stage.answer('An answer');
    stage.play();
    expect(stage.stored).toEqual([]);
    stage.clock.move(5_000);
    expect(stage.texts).toEqual(['An answer']);
    stage.transcribe('Late', 'u1');
    expect(stage.texts).toEqual(['An answer', 'Late']);
  });

  test('one that failed is stored as such', () => {
    const stage = Stage.opened();
    stage.utter();
    stage.event({ type: 'not_transcribed', itemId: 'u1', code: 'audio_unintelligible' });
    expect(stage.texts).toEqual(['[inaudible]']);
  });

  test('their usage is booked', () => {
    const stage = Stage.opened();
    stage.event({ type: 'transcribed', itemId: 'u1', text: 'Hi', usage: { seconds: 2 } });
    expect(stage.booked).toEqual(['u1']);
  });
});

describe('keys', () => {
  test('are one entry until the hash sign, or until none follows', () => {
    const stage = Stage.opened();
    stage.press('12#');
    expect(stage.texts).toEqual(['[The caller has pressed these keys: 12]']);
    expect(stage.responds).toBe(1);
    stage.answer('Thank you');
    stage.play();
    stage.press('3');
    stage.clock.move(2_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
    expect(stage.asked).toContain('tell user [The caller has pressed these keys: 3]');
  });

  test('of a sensitive field reach neither the model nor the transcript', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    stage.press('4711#');
    expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
    stage.voice.keysTaken({ told: 'The value of pin is stored.', news: plain });
    stage.voice.left();
    expect(JSON.stringify([stage.asked, stage.stored])).not.toContain('4711');
    expect(stage.asked).toContain('tell system The value of pin is stored.');
  });

  test('belong to the field that was asked for when the first was pressed', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    stage.press('4');
    stage.voice.news(plain);
    stage.press('711#');
    expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
    expect(stage.stored).toEqual([]);
  });

  test.each(['while they were pressed', 'after the last'] as const)(
    'of somebody who knows the question are its answer, which was asked %s',
    (when) => {
      const stage = Stage.opened();
      const [first, rest] = when === 'after the last' ? ['4711', ''] : ['47', '11#'];
      stage.press(first);
      stage.voice.news({ ...plain, keysFor: 'pin' });
      stage.press(rest);
      stage.clock.move(3_000);
      expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
      expect(JSON.stringify([stage.asked, stage.stored])).not.toContain('4711');
    },
  );

  test('that are not complete when the caller leaves are not taken', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    stage.press('4');
    stage.voice.left();
    expect(stage.keysTaken).toEqual([]);
    expect(stage.stored).toEqual([]);
  });

  test('stop the agent, which answers once they are entered', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.press('1');
    expect(stage.sent.at(-1)).toBe('clear');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`truncate ${itemId} 400`);
    expect(stage.responds).toBe(1);
    stage.press('#');
    expect(stage.responds).toBe(2);
  });

  test('have a bound', () => {
    const stage = Stage.opened();
    stage.press('1'.repeat(100));
    expect(stage.stored[0]?.text).toBe(`[The caller has pressed these keys: ${'1'.repeat(64)}]`);
  });
});
