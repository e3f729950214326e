import { describe, expect, test } from 'vitest';
import { Stage, soundsIn, speaking } from './stage.js';

describe('an interruption', () => {
  test('stops the sound at once, before anything is decided', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    expect(stage.sent.at(-1)).toBe('clear');
    expect(stage.recorded.at(-1)).toBe('cleared');
    expect(stage.asked).not.toContain('cancel r1');
  });

  test('tells the model what was played, after its response has ended', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop, please');
    expect(stage.asked).toContain('cancel r1');
    expect(stage.asked).not.toContain(`truncate ${itemId} 400`);
    expect(stage.responds).toBe(1);
    stage.cancelled(responseId);
    expect(stage.asked.slice(-2)).toEqual([`truncate ${itemId} 400`, 'respond']);
  });

  test.each([
    [1, 90, 290],
    [3, 199, 799],
  ])('after %i marks and %i ms truncates at %i ms', (marks, ms, truncatedAt) => {
    const { stage, responseId, itemId } = speaking(marks);
    stage.clock.move(ms);
    stage.say('Stop, please');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`truncate ${itemId} ${truncatedAt}`);
    expect(stage.stored[0]?.cut?.atMs).toBe(truncatedAt);
  });

  // The carrier may have stopped.
  test('counts no sound beyond the next mark, whatever the clock says', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.clock.move(700);
    stage.say('Stop, please');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`truncate ${itemId} 399`);
  });

  test('before the first mark deletes the item, whatever the clock says', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.clock.move(700);
    stage.say('Hello?');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`delete ${itemId}`);
  });

  test('of sound after a silence counts from its own first mark', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    stage.speak(responseId, 'One');
    stage.play();
    stage.clock.move(300);
    const second = stage.speak(responseId, 'Two ', 'three');
    stage.clock.move(300);
    stage.say('Stop');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`delete ${second}`);
  });

  test('stores what was heard, what would have been said, and where it was cut', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop, please');
    stage.cancelled(responseId);
    expect(stage.stored).toMatchObject([
      {
        itemId,
        by: 'agent',
        text: 'Good',
        cut: { whole: 'Good morning to you', reason: 'interrupted', atMs: 400 },
      },
      { itemId: 'u1', by: 'caller', text: 'Stop, please' },
    ]);
  });

  test('of something that is generated and still playing truncates as well, without cancelling', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.endResponse(responseId);
    stage.play(3);
    stage.say('Wait');
    expect(stage.asked).toContain(`truncate ${itemId} 600`);
    expect(stage.asked).not.toContain('cancel r1');
    expect(stage.responds).toBe(2);
  });

  test('before anything was played deletes the item, and truncates nothing', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.say('Hello?');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`delete ${itemId}`);
    expect(stage.asked.filter((asked) => asked.startsWith('truncate'))).toEqual([]);
    expect(stage.stored.map(({ by }) => by)).toEqual(['caller']);
  });

  test('before the first sound cancels the response, and there is nothing to delete', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    stage.say('Hello?');
    expect(stage.sent).toEqual([]);
    expect(stage.asked.slice(-1)).toEqual(['cancel r1']);
    stage.cancelled(responseId);
    expect(stage.responds).toBe(2);
  });

  test('while nothing is said or made truncates and cancels nothing', () => {
    const stage = Stage.opened();
    stage.say('Hello?');
    expect(stage.asked).toEqual(['respond']);
    expect(stage.sent).toEqual([]);
  });

  test('of the second of two items truncates it alone', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    const first = stage.speak(responseId, 'One');
    const second = stage.speak(responseId, 'Two ', 'three');
    stage.endResponse(responseId);
    stage.play(2);
    stage.say('Stop');
    expect(stage.asked).toContain(`truncate ${second} 200`);
    expect(stage.asked.some((asked) => asked.includes(`${first} `))).toBe(false);
    expect(stage.texts).toEqual(['One', 'Two', 'Stop']);
  });

  test('of the second of two items truncates it, although the first ended between two marks', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    const first = stage.speak(responseId, 'One');
    stage.sound(responseId, first, 50);
    const second = stage.speak(responseId, 'Two ', 'three');
    stage.endResponse(responseId);
    stage.play(3);
    stage.say('Stop');
    expect(stage.asked).toContain(`truncate ${second} 200`);
    expect(stage.texts).toEqual(['One', 'Two', 'Stop']);
  });

  test('marks that the carrier sends back because of the clearing count for nothing', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.startSpeech();
    stage.play();
    stage.stopSpeech();
    stage.transcribe('No');
    stage.cancelled(responseId);
    expect(stage.asked).toContain(`truncate ${itemId} 200`);
  });

  test('sound and words of a cancelled response that come late are dropped', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop');
    const before = stage.sent.length;
    stage.sound(responseId, itemId, 200);
    stage.event({ type: 'spoken', responseId, itemId, text: ' and more', isWhole: false });
    stage.cancelled(responseId);
    expect(stage.sent.slice(before)).toEqual([]);
    expect(stage.stored[0]?.cut?.whole).toBe('Good morning to you');
  });

  test('by long speech is one before its transcript has come', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    stage.clock.move(1_500);
    expect(stage.asked).toContain('cancel r1');
    expect(stage.responds).toBe(1);
  });

  test('by a transcript that never comes, or fails, is one', () => {
    for (const isFailing of [true, false]) {
      const { stage, responseId } = speaking(2);
      stage.startSpeech();
      stage.stopSpeech();
      if (isFailing) stage.event({ type: 'not_transcribed', itemId: 'u1', code: 'failed' });
      else stage.clock.move(1_200);
      stage.cancelled(responseId);
      expect(stage.responds).toBe(2);
    }
  });
});

describe('a false interruption', () => {
  test.each(['', 'Mhm.', 'uh-huh', 'Hmm… mm'])('%j lets the agent go on where it was', (text) => {
    const { stage, responseId, itemId } = speaking(2);
    stage.startSpeech();
    const before = stage.sent.length;
    // The rest is made while the sound is held.
    stage.sound(responseId, itemId, 200);
    expect(stage.sent.length).toBe(before);
    stage.stopSpeech();
    stage.transcribe(text);
    stage.endResponse(responseId);
    // The first mark comes early, and tells that the carrier plays again.
    expect(soundsIn(stage.sent.slice(before))).toEqual([100, 100, 200, 200]);
    expect(stage.asked).toContain('delete u1');
    expect(stage.asked.filter((asked) => /cancel|truncate/.test(asked))).toEqual([]);
    stage.marks.splice(0, 2);
    stage.play();
    expect(stage.stored[0]).toMatchObject({ by: 'agent', text: 'Good morning to you' });
    expect(stage.stored[0]?.cut).toBeUndefined();
    expect(stage.responds).toBe(1);
  });

  test.each(['No', 'yes', 'okay', 'Stop mhm'])('%j is none', (text) => {
    const { stage } = speaking(2);
    stage.say(text);
    expect(stage.asked).toContain('cancel r1');
  });

  test('a second noise while the first is undecided is an interruption', () => {
    const { stage, responseId } = speaking(2);
    stage.utter('u1');
    stage.startSpeech('u2');
    expect(stage.asked).toContain('cancel r1');
    stage.stopSpeech('u2');
    stage.cancelled(responseId);
    expect(stage.responds).toBe(2);
  });

  test('what is interrupted after it went on is cut off where it really was', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.endResponse(responseId);
    stage.startSpeech();
    stage.play();
    stage.stopSpeech();
    stage.transcribe('');
    stage.play(1);
    stage.clock.move(50);
    stage.say('Stop', 'u2');
    expect(stage.asked).toContain(`truncate ${itemId} 350`);
  });

  test('in the middle between two marks repeats nothing', () => {
    const { stage, responseId } = speaking(1);
    stage.clock.move(90);
    stage.startSpeech();
    const before = stage.sent.length;
    stage.stopSpeech();
    stage.transcribe('');
    stage.endResponse(responseId);
    expect(soundsIn(stage.sent.slice(before))).toEqual([100, 10, 200, 200]);
    stage.play();
    expect(stage.stored[0]).toMatchObject({ text: 'Good morning to you', endMs: 800 });
    expect(stage.stored[0]?.cut).toBeUndefined();
  });

  test('of something wholly made lets it end, and the silence counts from there', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct: { silenceMs: 5_000, silencePrompts: 1 } });
    stage.answer('Good ', 'day');
    stage.utter();
    stage.transcribe('');
    stage.clock.move(3_000);
    stage.play();
    stage.clock.move(4_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
  });
});

describe('a noise while nothing is said', () => {
  test('is not answered, and the model does not hear of it', () => {
    const stage = Stage.opened({ conduct: { silenceMs: 8_000, silencePrompts: 1 } });
    stage.utter();
    const responseId = stage.begin();
    stage.transcribe('');
    expect(stage.asked.slice(-2)).toEqual([`cancel ${responseId}`, 'delete u1']);
    stage.cancelled(responseId);
    expect(stage.responds).toBe(1);
    stage.clock.move(8_000);
    expect(stage.responds).toBe(2);
  });

  test('whose answer is heard already is answered', () => {
    const stage = Stage.opened();
    stage.utter();
    stage.speak(stage.begin(), 'Pardon?');
    stage.transcribe('');
    expect(stage.asked.filter((asked) => asked.startsWith('cancel'))).toEqual([]);
  });
});
