import { describe, expect, test } from 'vitest';
import { plain, Stage, speaking } from './stage.js';

describe('the greeting', () => {
  test('waits until the caller can be heard', () => {
    const stage = new Stage();
    stage.open({ firstWords: 'Greet.' });
    expect(stage.responds).toBe(0);
    stage.frames(1);
    expect(stage.responds).toBe(1);
    expect(stage.asked[0]).toBe('tell system Greet.');
  });

  test('comes after a bound if no frame comes', () => {
    const stage = new Stage();
    stage.open({ firstWords: 'Greet.' });
    stage.clock.move(1_500);
    expect(stage.responds).toBe(1);
  });

  test('is stored with the times at which it was played', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.endResponse(responseId);
    expect(stage.stored).toEqual([]);
    stage.clock.move(800);
    stage.play();
    expect(stage.stored).toEqual([
      { itemId, by: 'agent', text: 'Good morning to you', startMs: 0, endMs: 800 },
    ]);
  });

  test('is stored with its times in the recording, also if the call was not admitted at once', () => {
    const stage = new Stage(250);
    stage.frames(1);
    stage.open({ firstWords: 'Greet.' });
    stage.answer('Good day');
    stage.clock.move(200);
    stage.play();
    expect(stage.stored).toMatchObject([{ text: 'Good day', startMs: 250, endMs: 450 }]);
  });

  test('without one, the agent waits for the caller', () => {
    const stage = Stage.opened();
    expect(stage.responds).toBe(0);
    stage.say('Hello?');
    expect(stage.responds).toBe(1);
  });
});

describe('a greeting that is given', () => {
  const words = 'Welcome. How can we help?';

  test('is said exactly so, once, and the caller speaks next', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', greeting: words });
    expect(stage.requests).toMatchObject([
      { instructions: expect.stringContaining(words), withTools: false },
    ]);
    stage.answer('Welcome. ', 'How can we help?');
    stage.play();
    expect(stage.stored).toMatchObject([{ by: 'agent', text: words }]);
    expect([stage.played, stage.responds]).toEqual([[], 1]);
    stage.say('My order is late');
    expect(stage.responds).toBe(2);
    expect(stage.asked).not.toContain('tell system Greet.');
  });

  test('is said before messages, and before the answer to a caller who was first', () => {
    const toSay = [{ messageId: 7, text: 'We are open again on Monday.' }];
    const stage = Stage.opened({ greeting: words, news: { ...plain, toSay } });
    stage.say('Hello?');
    stage.cancelled(stage.begin());
    expect(stage.requests.map(({ instructions }) => instructions)).toEqual([
      expect.stringContaining(words),
      expect.stringContaining(words),
    ]);
    stage.answer(words);
    stage.play();
    expect(stage.requests[2]?.instructions).toContain('open again');
    stage.answer('We are open again on Monday.');
    stage.play();
    stage.voice.messagePlayed(7, plain);
    expect(stage.requests[3]?.instructions).toBeUndefined();
  });

  test('that is interrupted is stored as far as it was heard, and not said again', () => {
    const stage = Stage.opened({ greeting: words });
    stage.speak(stage.begin(), 'Welcome. ', 'How can we help?');
    stage.play(1);
    stage.say('My order is late');
    stage.cancelled('r1');
    expect(stage.stored[0]).toMatchObject({ text: 'Welcome. How', cut: { whole: words, atMs: 200 } });
    expect(stage.requests[1]?.instructions).toBeUndefined();
  });

  test.each(['failed', 'lost'] as const)('whose response or session is %s is said in the next one', (how) => {
    const stage = Stage.opened({ greeting: words });
    const responseId = stage.begin();
    if (how === 'failed') stage.endResponse(responseId, { status: 'failed', reason: 'server_error' });
    else {
      stage.lose();
      stage.open({ greeting: words });
    }
    stage.clock.move(500);
    expect(stage.requests.at(-1)?.instructions).toContain(words);
    stage.answer(words);
    stage.play();
    expect(stage.texts).toEqual([words]);
  });
});
