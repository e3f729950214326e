import { describe, expect, test } from 'vitest';
import { tellings } from '../../../media/bridge/words.js';
import { plain, Stage, toolCall } from './stage.js';

describe('an answer', () => {
  test('is spoken in pieces as they come, and stored when it was heard', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    expect(stage.asked).toMatchObject([{ notes: ['Greet.'], withTools: true, saying: [] }]);
    stage.pieces('Hello', ', Ana.');
    expect(stage.sent).toBe('Hello, Ana.');
    stage.voice.answered(stage.answer, []);
    expect(stage.cycles).toEqual(['Hello, Ana.']);
    expect(stage.stored).toEqual([]);
    stage.speaks(900);
    expect(stage.transcript).toEqual(['agent: Hello, Ana.']);
  });

  test('follows what the caller says, which is stored first', () => {
    const stage = Stage.opened();
    expect(stage.asked).toEqual([]);
    stage.voice.said('Where is it?');
    expect(stage.transcript).toEqual(['caller: Where is it?']);
    expect(stage.asked).toHaveLength(1);
  });

  test('counts as heard after the time of its words if the carrier tells nothing', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('x'.repeat(100));
    stage.clock.move(6_500);
    expect(stage.stored).toHaveLength(1);
    stage.clock.move(1_000);
    expect(stage.stored).toHaveLength(2);
  });

  test('counts as heard some time after it should if the end of speaking is lost', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('Hello.');
    stage.voice.speaking('agent', true);
    stage.clock.move(8_000);
    expect(stage.transcript).toEqual(['caller: Hi']);
    stage.clock.move(6_000);
    expect(stage.transcript).toEqual(['caller: Hi', 'agent: Hello.']);
  });

  test('does not count as heard by the end of what was spoken before it', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('One moment.', toolCall());
    stage.voice.speaking('agent', true);
    stage.clock.move(900);
    stage.voice.toolsDone('answer_1', plain);
    stage.answers('It has left.');
    stage.voice.speaking('agent', false);
    stage.clock.move(400);
    stage.voice.speaking('agent', true);
    stage.clock.move(400);
    stage.interrupt('It');
    expect(stage.transcript).toEqual(['caller: Hi', 'agent: One moment.', 'agent: It (of: It has left.)']);
  });

  test('is given up when the caller speaks before it has come, and pieces that are late are not spoken', () => {
    const stage = Stage.opened();
    stage.voice.said('I want');
    const first = stage.answer;
    stage.voice.said('two of them');
    expect(stage.aborted).toEqual([first]);
    stage.voice.piece(first, 'Late');
    stage.voice.answered(first, [toolCall()]);
    expect([stage.sent, stage.toolRuns]).toEqual(['', []]);
    expect(stage.asked).toHaveLength(2);
  });

  test('ends after some minutes', () => {
    const stage = Stage.opened();
    stage.voice.said('Tell me everything');
    for (let place = 0; place < 100; place += 1) stage.pieces('x'.repeat(100));
    expect(stage.aborted).toEqual([1]);
    expect(stage.cycles).toEqual(['x'.repeat(4_000)]);
  });

  test('without words is asked for once more, and then the silence counts', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.voice.answered(1, []);
    stage.voice.answered(2, []);
    expect(stage.asked).toHaveLength(2);
  });
});

describe('a greeting that is given', () => {
  const words = 'Welcome. How can we help?';

  test('is said exactly so, without the model, and the caller speaks next', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', greeting: words });
    expect([stage.cycles, stage.asked]).toEqual([[words], []]);
    stage.speaks(1_500);
    expect(stage.transcript).toEqual([`agent: ${words}`]);
    stage.voice.said('My order is late');
    expect(stage.asked).toMatchObject([{ notes: [] }]);
  });

  test('comes before messages, and the rest of it after a mere sound', () => {
    const toSay = [{ messageId: 7, text: 'We are open again on Monday.' }];
    const stage = Stage.opened({ greeting: words, news: { ...plain, toSay } });
    expect(stage.cycles).toEqual([words, 'We are open again on Monday.']);
    stage.voice.speaking('agent', true);
    stage.interrupt('Welcome.', 600);
    stage.clock.move(2_000);
    expect(stage.cycles.slice(2)).toEqual(['How can we help?', 'We are open again on Monday.']);
  });

  test('is said before the answer to a caller who was first, and the model knows of it', () => {
    const stage = new Stage();
    stage.voice.said('Hello?');
    const conduct = { silenceMs: null, silencePrompts: 0, fillerMs: 1_500 };
    stage.voice.opened({ firstWords: undefined, greeting: words, conduct, news: plain });
    expect(stage.cycles).toEqual([words]);
    expect(stage.asked).toMatchObject([{ saying: [words] }]);
  });
});

describe('an interruption', () => {
  const interrupted = (rest: { whole: boolean }) => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.pieces('Your order has left. ', 'It comes on Monday.');
    if (rest.whole) stage.voice.answered(1, []);
    stage.voice.speaking('agent', true);
    stage.clock.move(700);
    stage.interrupt('Your order', 650);
    return stage;
  };

  test('gives up the answer that is being made, and keeps what was heard of it', () => {
    const stage = interrupted({ whole: false });
    expect(stage.aborted).toEqual([1]);
    expect(stage.stored.at(-1)).toMatchObject({
      text: 'Your order',
      startMs: 0,
      endMs: 650,
      cut: { whole: 'Your order has left. It comes on Monday.', reason: 'interrupted', atMs: 650 },
    });
    stage.voice.piece(1, ' More.');
    expect(stage.sent).toBe('');
    stage.voice.said('Which one?');
    expect(stage.asked).toHaveLength(2);
    expect(stage.cycles.join('')).not.toContain('Monday. It comes');
  });

  test('of what was not heard at all stores nothing', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('Hello.');
    stage.voice.speaking('agent', true);
    stage.interrupt('', 0);
    stage.voice.said('Wait');
    expect(stage.transcript).toEqual(['caller: Hi', 'caller: Wait']);
  });

  test('after everything was heard changes nothing', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('Hello.');
    stage.speaks(400);
    stage.interrupt('Hello.');
    expect(stage.transcript).toEqual(['caller: Hi', 'agent: Hello.']);
  });

  test.each([
    ['a cough, which no words follow', (stage: Stage) => stage.clock.move(2_000)],
    ['"mhm"', (stage: Stage) => stage.voice.said('Mhm.')],
  ])('by %s lets the agent say the rest', (_, sound) => {
    const stage = interrupted({ whole: true });
    sound(stage);
    expect(stage.cycles.at(-1)).toBe('has left. It comes on Monday.');
    expect(stage.asked).toHaveLength(1);
    stage.speaks(800);
    expect(stage.transcript).toEqual([
      'caller: Hi',
      'agent: Your order (of: Your order has left. It comes on Monday.)',
      'agent: has left. It comes on Monday.',
    ]);
  });

  test('by a cough while the answer is being made has the model go on', () => {
    const stage = interrupted({ whole: false });
    stage.clock.move(2_000);
    expect(stage.cycles.at(-1)).toBe('has left. It comes on Monday.');
    expect(stage.asked.at(-1)).toMatchObject({
      notes: [tellings.goOn],
      saying: ['has left. It comes on Monday.'],
    });
  });

  test('waits for the words of someone who still speaks', () => {
    const stage = interrupted({ whole: true });
    stage.voice.speaking('caller', true);
    stage.clock.move(8_000);
    stage.voice.speaking('caller', false);
    stage.clock.move(1_900);
    expect(stage.cycles).toHaveLength(1);
    stage.voice.said('But I ordered two');
    expect(stage.asked).toHaveLength(2);
    stage.clock.move(10_000);
    expect(stage.cycles).toHaveLength(1);
  });

  test('does not silence an agent whose tools run', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('One moment, please.', toolCall());
    stage.voice.speaking('agent', true);
    stage.interrupt('One');
    stage.voice.toolsDone('answer_1', plain);
    expect(stage.asked).toHaveLength(1);
    stage.clock.move(2_000);
    expect(stage.asked).toHaveLength(2);
  });
});

describe('tools', () => {
  test('run with what the model said before them, and their result is spoken', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('Let me look.', toolCall());
    expect(stage.toolRuns).toEqual([{ responseId: 'answer_1', calls: [toolCall()] }]);
    expect(stage.asked).toHaveLength(1);
    stage.voice.toolsDone('answer_1', plain);
    expect(stage.asked.at(-1)).toMatchObject({ saying: ['Let me look.'], withoutOpenCalls: false });
  });

  test('that take long are bridged by a few words, again and again', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('', toolCall());
    stage.clock.move(1_499);
    expect(stage.asked).toHaveLength(1);
    stage.clock.move(1);
    expect(stage.asked.at(-1)).toMatchObject({
      notes: [tellings.filler],
      withTools: false,
      withoutOpenCalls: true,
    });
    stage.answers('One moment.');
    stage.speaks(500);
    stage.clock.move(8_000);
    expect(stage.asked).toHaveLength(3);
    stage.answers('Still looking.');
    stage.voice.toolsDone('answer_1', plain);
    expect(stage.asked.at(-1)).toMatchObject({ withTools: true, saying: ['Still looking.'] });
  });

  test('that are done while a filler is awaited make it needless', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('', toolCall());
    stage.clock.move(1_500);
    stage.voice.toolsDone('answer_1', plain);
    expect(stage.aborted).toEqual([2]);
    expect(stage.asked.at(-1)).toMatchObject({ answer: 3, withTools: true });
  });

  test('go on while the caller speaks, who is answered with their results', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.answers('', toolCall());
    stage.voice.said('And quickly');
    expect(stage.asked).toHaveLength(1);
    stage.voice.toolsDone('answer_1', plain);
    expect(stage.asked).toHaveLength(2);
  });

  test('are not offered without end', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    for (let round = 1; round <= 8; round += 1) {
      stage.answers('', toolCall());
      stage.voice.toolsDone(`answer_${round}`, plain);
    }
    expect(stage.asked.map(({ withTools }) => withTools)).toEqual([...Array(8).fill(true), false]);
    stage.answers('', toolCall());
    expect(stage.toolRuns).toHaveLength(8);
  });
});

describe('keys', () => {
  test('are told together, ended by the hash sign or a pause', () => {
    const stage = Stage.opened();
    for (const digit of '12#') stage.voice.press(digit);
    expect(stage.transcript).toEqual(['caller: [The caller has pressed these keys: 12]']);
    stage.voice.press('7');
    stage.clock.move(3_000);
    expect(stage.transcript.at(-1)).toBe('caller: [The caller has pressed these keys: 7]');
    expect(stage.asked.length).toBeGreaterThan(0);
  });

  test('of a sensitive field go to the domain alone', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    for (const digit of '1234#') stage.voice.press(digit);
    expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '1234' }]);
    expect(stage.stored).toEqual([]);
    stage.voice.keysTaken({ told: 'It is stored.', news: plain });
    expect(stage.asked).toMatchObject([{ notes: ['It is stored.'] }]);
  });
});

test('a key ends what was being said, also if the carrier tells of the interruption after it', () => {
  const stage = Stage.opened({ firstWords: 'Greet.' });
  stage.answers('Press one for yes, and two for no.');
  stage.voice.speaking('agent', true);
  stage.voice.press('1');
  stage.interrupt('Press one for yes');
  stage.clock.move(3_000);
  expect(stage.cycles).toEqual(['Press one for yes, and two for no.']);
  expect(stage.asked).toHaveLength(2);
});

test('keys of somebody who knows the question are its answer', () => {
  const stage = Stage.opened();
  for (const digit of '12') stage.voice.press(digit);
  stage.voice.news({ ...plain, keysFor: 'pin' });
  for (const digit of '34') stage.voice.press(digit);
  stage.clock.move(3_000);
  expect([stage.keysTaken, stage.stored]).toEqual([[{ field: 'pin', digits: '1234' }], []]);
});

describe('silence', () => {
  const silent = () => Stage.opened({ conduct: { silenceMs: 5_000, silencePrompts: 1, fillerMs: 1_500 } });

  test('counts from the end of the words, is asked about, and then ends the call', () => {
    const stage = silent();
    stage.voice.said('Hi');
    stage.answers('Hello.');
    stage.voice.speaking('agent', true);
    stage.clock.move(5_500);
    expect(stage.asked).toHaveLength(1);
    stage.voice.speaking('agent', false);
    stage.clock.move(5_300);
    expect(stage.asked.at(-1)?.notes).toEqual([tellings.silence]);
    stage.answers('Are you there?');
    stage.speaks(800);
    stage.clock.move(5_000);
    expect(stage.asked.at(-1)).toMatchObject({ notes: [tellings.silenceGoodbye], withTools: false });
    stage.answers('Goodbye.');
    expect(stage.ended).toBeUndefined();
    stage.speaks(500);
    expect(stage.ended).toEqual({ reason: 'agent_ended', byItself: true });
  });

  test('does not count while the caller makes itself heard', () => {
    const stage = silent();
    stage.clock.move(4_900);
    stage.voice.speaking('caller', true);
    stage.clock.move(10_000);
    expect(stage.asked).toEqual([]);
    stage.voice.speaking('caller', false);
    stage.clock.move(6_900);
    expect(stage.asked).toEqual([]);
    stage.clock.move(200);
    expect(stage.asked).toHaveLength(1);
  });
});

describe('messages that are to be said', () => {
  const toSay = [
    { messageId: 7, text: 'This call is recorded.' },
    { messageId: 8, text: 'We are open again on Monday.' },
  ];

  test('are said word by word, one after the other, before the agent goes on', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', news: { ...plain, toSay } });
    expect(stage.cycles).toEqual(['This call is recorded.']);
    stage.speaks(1_000);
    expect(stage.played).toMatchObject([{ messageId: 7, played: { text: 'This call is recorded.' } }]);
    stage.voice.messagePlayed(7, { ...plain, toSay: [toSay[1] as (typeof toSay)[0]] });
    expect(stage.cycles.at(-1)).toBe('We are open again on Monday.');
    expect(stage.asked).toEqual([]);
    stage.speaks(1_000);
    stage.voice.messagePlayed(8, plain);
    expect(stage.asked).toHaveLength(1);
    expect(stage.stored).toEqual([]);
  });

  test('are said again if nothing of them was heard, and are cut if something was', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.voice.speaking('agent', true);
    stage.interrupt('', 0);
    stage.voice.said('Hello?');
    expect(stage.cycles.filter((text) => text !== '')).toEqual(Array(2).fill('This call is recorded.'));
    stage.voice.speaking('agent', true);
    stage.interrupt('This call', 400);
    expect(stage.played).toMatchObject([
      { messageId: 7, played: { text: 'This call', cut: { whole: 'This call is recorded.', atMs: 400 } } },
    ]);
  });
});

describe('the end', () => {
  test('comes after the last words, or a goodbye if there are none', () => {
    const stage = Stage.opened();
    stage.voice.said('Bye');
    stage.answers('Goodbye, Ana.', toolCall('end_call'));
    stage.voice.toolsDone('answer_1', { ...plain, ending: 'hang_up' });
    expect([stage.asked.length, stage.ended]).toEqual([1, undefined]);
    stage.speaks(700);
    expect(stage.ended).toEqual({ reason: 'agent_ended', byItself: false });

    const quiet = Stage.opened();
    quiet.voice.said('Bye');
    quiet.answers('', toolCall('forward_call'));
    quiet.voice.toolsDone('answer_1', { ...plain, ending: 'transfer' });
    expect(quiet.asked.at(-1)).toMatchObject({ notes: [tellings.transfer], withTools: false });
    quiet.answers('I put you through.');
    quiet.speaks(700);
    expect(quiet.ended).toEqual({ reason: 'transfer', byItself: false });
  });

  test('comes in time although the last words never end', () => {
    const stage = Stage.opened();
    stage.voice.said('Bye');
    stage.voice.news({ ...plain, ending: 'hang_up' });
    stage.voice.speaking('caller', true);
    stage.clock.move(20_000);
    expect(stage.ended).toMatchObject({ reason: 'agent_ended' });
  });

  test('keeps what was heard when the caller leaves, gives up the model, and nothing follows', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.pieces('Your order has left. It comes');
    stage.voice.speaking('agent', true);
    stage.clock.move(10 * 65);
    stage.voice.left();
    expect(stage.ended).toEqual({ reason: 'caller_left', byItself: false });
    expect(stage.aborted).toEqual([1]);
    expect(stage.stored.at(-1)).toMatchObject({
      text: 'Your order',
      cut: { whole: 'Your order has left. It comes', reason: 'call_ended', atMs: 650 },
    });
    stage.voice.said('Late');
    stage.voice.answered(1, [toolCall()]);
    stage.clock.move(60_000);
    expect([stage.asked.length, stage.toolRuns, stage.looks]).toEqual([1, [], 0]);
  });

  test('that the run wants comes after what is being said, and a goodbye', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.pieces('Your order has left.');
    stage.voice.hangUp();
    stage.voice.hangUp();
    stage.voice.answered(1, []);
    expect(stage.asked.at(-1)).toMatchObject({ notes: [tellings.mustEnd], withTools: false });
    stage.answers('We have to end here. Goodbye.');
    expect([stage.aborted, stage.ended]).toEqual([[], undefined]);
    stage.speaks(3_000);
    expect(stage.ended).toEqual({ reason: 'commanded', byItself: false });
  });

  test.each(['superseded', 'commanded', 'drained'] as const)('comes at once if it is told: %s', (reason) => {
    const stage = Stage.opened();
    stage.voice.stop(reason);
    expect(stage.ended).toEqual({ reason, byItself: false });
  });

  test('comes if a later attempt has begun', () => {
    const stage = Stage.opened();
    stage.clock.move(3_000);
    expect(stage.looks).toBe(1);
    stage.voice.news({ isCurrent: false });
    expect(stage.ended).toMatchObject({ reason: 'superseded' });
  });
});

describe('a model that fails', () => {
  test('is asked again with what it was told, and given up after three times', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.voice.failed(1, false);
    expect(stage.asked).toHaveLength(1);
    stage.clock.move(700);
    expect(stage.asked.at(-1)?.notes).toEqual(['Greet.']);
    stage.voice.failed(2, false);
    stage.clock.move(700);
    stage.voice.failed(3, false);
    expect(stage.ended).toMatchObject({ reason: 'model_lost' });
  });

  test('says nothing for too long is asked again', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.clock.move(10_000);
    expect(stage.aborted).toEqual([1]);
    stage.clock.move(700);
    expect(stage.asked).toHaveLength(2);
  });

  test('in the middle of its words goes on where it was', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.pieces('Your order');
    stage.voice.failed(1, false);
    expect(stage.cycles).toEqual(['Your order']);
    stage.clock.move(700);
    expect(stage.asked.at(-1)).toMatchObject({ notes: [tellings.goOn], saying: ['Your order'] });
  });

  test('is not asked again if that is of no use', () => {
    const stage = Stage.opened();
    stage.voice.said('Hi');
    stage.voice.failed(1, true);
    expect(stage.ended).toMatchObject({ reason: 'model_lost' });
  });
});

describe('an agent that stands by', () => {
  test('looks often, says that it takes a moment, and goes on when it may', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', news: { ...plain, standsBy: true } });
    expect(stage.asked).toEqual([]);
    stage.clock.move(500);
    expect(stage.looks).toBe(1);
    stage.clock.move(1_000);
    expect(stage.asked).toMatchObject([{ notes: [tellings.filler] }]);
    stage.answers('One moment.');
    stage.voice.news(plain);
    expect(stage.asked.at(-1)?.notes).toEqual(['Greet.']);
  });
});
