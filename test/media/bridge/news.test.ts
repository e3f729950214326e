import { describe, expect, test } from 'vitest';
import { plain, Stage, speaking } from './stage.js';

describe('stored messages', () => {
  const toSay = [
    { messageId: 7, text: 'We are open "daily".' },
    { messageId: 8, text: 'Goodbye.' },
  ];

  test('are spoken word by word in their order, before the agent answers', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', news: { ...plain, toSay } });
    expect(stage.requests[0]).toMatchObject({ withTools: false });
    expect(stage.requests[0]?.instructions).toContain('“We are open "daily".”');
    stage.answer('We are open "daily".');
    expect(stage.requests[1]?.instructions).toContain('Goodbye.');
    stage.answer('Goodbye.');
    expect(stage.responds).toBe(2);
    stage.play();
    expect(stage.played.map(({ messageId }) => messageId)).toEqual([7, 8]);
    expect(stage.stored).toEqual([]);
    stage.voice.messagePlayed(7, { ...plain, toSay: [toSay[1] as (typeof toSay)[number]] });
    stage.voice.messagePlayed(8, plain);
    expect(stage.responds).toBe(3);
  });

  test('that were interrupted after they began count as said, with what was heard', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    const responseId = stage.begin();
    stage.speak(responseId, 'We are ', 'open ', '"daily".');
    stage.endResponse(responseId);
    stage.play(2);
    stage.say('Fine');
    expect(stage.played).toMatchObject([
      { messageId: 7, played: { cut: { reason: 'interrupted', atMs: 400, whole: 'We are open "daily".' } } },
    ]);
    stage.voice.messagePlayed(7, plain);
    expect(stage.responds).toBe(2);
  });

  test('of which nothing was heard are said again', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    const { itemId } = stage.answer('We are ', 'open');
    stage.say('Hello?');
    expect(stage.asked).toContain(`delete ${itemId}`);
    expect(stage.played).toEqual([]);
    expect(stage.requests[1]?.instructions).toContain('We are open');
  });

  test('whose response was interrupted before it began are said again', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.say('Hello?');
    stage.cancelled(stage.begin());
    expect(stage.requests[1]?.instructions).toBe(stage.requests[0]?.instructions);
    stage.answer(toSay[0]?.text ?? '');
    stage.play();
    stage.voice.messagePlayed(7, plain);
    expect(stage.responds).toBe(3);
  });

  test('in the middle of which the session was lost are said again, once', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.speak(stage.begin(), 'We are ');
    stage.lose();
    stage.play();
    stage.open();
    expect(stage.responds).toBe(1);
    stage.answer('We are open');
    stage.play();
    expect(stage.played).toHaveLength(1);
    expect(stage.responds).toBe(1);
  });

  test('whose sound was made before the session was lost are said once', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.answer('We are ', 'open');
    stage.lose();
    stage.play();
    stage.open();
    expect(stage.played).toHaveLength(1);
    expect(stage.responds).toBe(0);
  });
});

describe('what is written meanwhile', () => {
  test('is told after the sentence that is spoken, and answered with the next words', () => {
    const { stage, responseId } = speaking(1);
    stage.voice.news({ ...plain, notes: ['The member has written: "late"'] });
    expect(stage.asked.at(-1)).toBe('tell system The member has written: "late"');
    expect(stage.responds).toBe(1);
    stage.endResponse(responseId);
    expect(stage.responds).toBe(2);
  });

  test('the domain is looked at every three seconds, and only then', () => {
    const stage = Stage.opened();
    stage.clock.move(2_999);
    expect(stage.looks).toBe(0);
    stage.clock.move(3_001);
    expect(stage.looks).toBe(2);
  });
});
