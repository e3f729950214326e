import { describe, expect, test } from 'vitest';
import { call, plain, Stage, sound } from './stage.js';

const done = (callId: string) => ({ callId, output: '{"ok":true}' });

/** The agent has said "Good morning to you", 800 ms, of which so many marks have come back. */
function speaking(marks: number): { stage: Stage; responseId: string; itemId: string } {
  const stage = Stage.opened({ firstWords: 'Greet.' });
  const responseId = stage.begin();
  const itemId = stage.speak(responseId, 'Good ', 'morning ', 'to ', 'you');
  stage.play(marks);
  return { stage, responseId, itemId };
}

/** The lengths of what the carrier was sent, in milliseconds. */
function soundsIn(sent: readonly string[]): number[] {
  return sent.filter((one) => one.startsWith('audio')).map((one) => Number(one.slice('audio '.length)));
}

describe('the greeting', () => {
  test('waits until the caller can be heard', () => {
    const stage = new Stage();
    stage.open({ firstWords: 'Greet.' });
    expect(stage.responds).toBe(0);
    stage.frames(1);
    expect(stage.responds).toBe(1);
    expect(stage.session.asked[0]).toBe('tell system Greet.');
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
    expect(stage.session.responds).toMatchObject([
      { instructions: expect.stringContaining(words), withTools: false },
    ]);
    stage.answer('Welcome. ', 'How can we help?');
    stage.play();
    expect(stage.stored).toMatchObject([{ by: 'agent', text: words }]);
    expect([stage.played, stage.responds]).toEqual([[], 1]);
    stage.say('My order is late');
    expect(stage.responds).toBe(2);
    expect(stage.session.asked).not.toContain('tell system Greet.');
  });

  test('is said before messages, and before the answer to a caller who was first', () => {
    const toSay = [{ messageId: 7, text: 'We are open again on Monday.' }];
    const stage = Stage.opened({ greeting: words, news: { ...plain, toSay } });
    stage.say('Hello?');
    stage.endResponse(stage.begin(), { status: 'cancelled' });
    expect(stage.session.responds.map(({ instructions }) => instructions)).toEqual([
      expect.stringContaining(words),
      expect.stringContaining(words),
    ]);
    stage.answer(words);
    stage.play();
    expect(stage.session.responds[2]?.instructions).toContain('open again');
    stage.answer('We are open again on Monday.');
    stage.play();
    stage.conversation.messagePlayed(7, plain);
    expect(stage.session.responds[3]?.instructions).toBeUndefined();
  });

  test('that is interrupted is stored as far as it was heard, and not said again', () => {
    const stage = Stage.opened({ greeting: words });
    stage.speak(stage.begin(), 'Welcome. ', 'How can we help?');
    stage.play(1);
    stage.say('My order is late');
    stage.endResponse('r1', { status: 'cancelled' });
    expect(stage.stored[0]).toMatchObject({ text: 'Welcome. How', cut: { whole: words, atMs: 200 } });
    expect(stage.session.responds[1]?.instructions).toBeUndefined();
  });

  test.each(['failed', 'lost'] as const)('whose response or session is %s is said in the next one', (how) => {
    const stage = Stage.opened({ greeting: words });
    const responseId = stage.begin();
    if (how === 'failed') stage.endResponse(responseId, { status: 'failed', reason: 'server_error' });
    else {
      stage.event({ type: 'closed', code: 'ws_1006' });
      stage.open({ greeting: words });
    }
    stage.clock.move(500);
    expect(stage.session.responds.at(-1)?.instructions).toContain(words);
    stage.answer(words);
    stage.play();
    expect(stage.stored.map(({ text }) => text)).toEqual([words]);
  });
});

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
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.frames(10);
    stage.open();
    stage.event({ type: 'speech_started', itemId: 'u2', atMs: 0 });
    stage.event({ type: 'speech_stopped', itemId: 'u2', atMs: 200 });
    stage.event({ type: 'heard', itemId: 'u2', afterItemId: null });
    stage.transcribe('Hello?', 'u2');
    expect(stage.stored[1]).toMatchObject({ startMs: 40_000, endMs: 40_200 });
  });
});

describe('an interruption', () => {
  test('stops the sound at once, before anything is decided', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    expect(stage.sent.at(-1)).toBe('clear');
    expect(stage.recorded.at(-1)).toBe('cleared');
    expect(stage.session.asked).not.toContain('cancel r1');
  });

  test('tells the model what was played, after its response has ended', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop, please');
    expect(stage.session.asked).toContain('cancel r1');
    expect(stage.session.asked).not.toContain(`truncate ${itemId} 400`);
    expect(stage.responds).toBe(1);
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked.slice(-2)).toEqual([`truncate ${itemId} 400`, 'respond']);
  });

  test.each([
    [1, 90, 290],
    [3, 199, 799],
  ])('after %i marks and %i ms truncates at %i ms', (marks, ms, truncatedAt) => {
    const { stage, responseId, itemId } = speaking(marks);
    stage.clock.move(ms);
    stage.say('Stop, please');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`truncate ${itemId} ${truncatedAt}`);
    expect(stage.stored[0]?.cut?.atMs).toBe(truncatedAt);
  });

  // The carrier may have stopped.
  test('counts no sound beyond the next mark, whatever the clock says', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.clock.move(700);
    stage.say('Stop, please');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`truncate ${itemId} 399`);
  });

  test('before the first mark deletes the item, whatever the clock says', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.clock.move(700);
    stage.say('Hello?');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`delete ${itemId}`);
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
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`delete ${second}`);
  });

  test('stores what was heard, what would have been said, and where it was cut', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop, please');
    stage.endResponse(responseId, { status: 'cancelled' });
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
    expect(stage.session.asked).toContain(`truncate ${itemId} 600`);
    expect(stage.session.asked).not.toContain('cancel r1');
    expect(stage.responds).toBe(2);
  });

  test('before anything was played deletes the item, and truncates nothing', () => {
    const { stage, responseId, itemId } = speaking(0);
    stage.say('Hello?');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`delete ${itemId}`);
    expect(stage.session.asked.filter((asked) => asked.startsWith('truncate'))).toEqual([]);
    expect(stage.stored.map(({ by }) => by)).toEqual(['caller']);
  });

  test('before the first sound cancels the response, and there is nothing to delete', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    stage.say('Hello?');
    expect(stage.sent).toEqual([]);
    expect(stage.session.asked.slice(-1)).toEqual(['cancel r1']);
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.responds).toBe(2);
  });

  test('while nothing is said or made truncates and cancels nothing', () => {
    const stage = Stage.opened();
    stage.say('Hello?');
    expect(stage.session.asked).toEqual(['respond']);
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
    expect(stage.session.asked).toContain(`truncate ${second} 200`);
    expect(stage.session.asked.some((asked) => asked.includes(`${first} `))).toBe(false);
    expect(stage.stored.map(({ text }) => text)).toEqual(['One', 'Two', 'Stop']);
  });

  test('of the second of two items truncates it, although the first ended between two marks', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    const first = stage.speak(responseId, 'One');
    stage.event({ type: 'audio', responseId, itemId: first, payload: sound(50) });
    const second = stage.speak(responseId, 'Two ', 'three');
    stage.endResponse(responseId);
    stage.play(3);
    stage.say('Stop');
    expect(stage.session.asked).toContain(`truncate ${second} 200`);
    expect(stage.stored.map(({ text }) => text)).toEqual(['One', 'Two', 'Stop']);
  });

  test('marks that the carrier sends back because of the clearing count for nothing', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.startSpeech();
    stage.play();
    stage.stopSpeech();
    stage.transcribe('No');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`truncate ${itemId} 200`);
  });

  test('sound and words of a cancelled response that come late are dropped', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.say('Stop');
    const before = stage.sent.length;
    stage.event({ type: 'audio', responseId, itemId, payload: sound(200) });
    stage.event({ type: 'spoken', responseId, itemId, text: ' and more', isWhole: false });
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.sent.slice(before)).toEqual([]);
    expect(stage.stored[0]?.cut?.whole).toBe('Good morning to you');
  });

  test('by long speech is one before its transcript has come', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    stage.clock.move(1_500);
    expect(stage.session.asked).toContain('cancel r1');
    expect(stage.responds).toBe(1);
  });

  test('by a transcript that never comes, or fails, is one', () => {
    for (const isFailing of [true, false]) {
      const { stage, responseId } = speaking(2);
      stage.startSpeech();
      stage.stopSpeech();
      if (isFailing) stage.event({ type: 'not_transcribed', itemId: 'u1', code: 'failed' });
      else stage.clock.move(1_200);
      stage.endResponse(responseId, { status: 'cancelled' });
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
    stage.event({ type: 'audio', responseId, itemId, payload: sound(200) });
    expect(stage.sent.length).toBe(before);
    stage.stopSpeech();
    stage.transcribe(text);
    stage.endResponse(responseId);
    // The first mark comes early, and tells that the carrier plays again.
    expect(soundsIn(stage.sent.slice(before))).toEqual([100, 100, 200, 200]);
    expect(stage.session.asked).toContain('delete u1');
    expect(stage.session.asked.filter((asked) => /cancel|truncate/.test(asked))).toEqual([]);
    stage.marks.splice(0, 2);
    stage.play();
    expect(stage.stored[0]).toMatchObject({ by: 'agent', text: 'Good morning to you' });
    expect(stage.stored[0]?.cut).toBeUndefined();
    expect(stage.responds).toBe(1);
  });

  test.each(['No', 'yes', 'okay', 'Stop mhm'])('%j is none', (text) => {
    const { stage } = speaking(2);
    stage.say(text);
    expect(stage.session.asked).toContain('cancel r1');
  });

  test('a second noise while the first is undecided is an interruption', () => {
    const { stage, responseId } = speaking(2);
    stage.startSpeech('u1');
    stage.stopSpeech('u1');
    stage.startSpeech('u2');
    expect(stage.session.asked).toContain('cancel r1');
    stage.stopSpeech('u2');
    stage.endResponse(responseId, { status: 'cancelled' });
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
    expect(stage.session.asked).toContain(`truncate ${itemId} 350`);
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
    stage.startSpeech();
    stage.stopSpeech();
    stage.transcribe('');
    stage.clock.move(3_000);
    stage.play();
    stage.clock.move(4_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
  });
});

describe('responses', () => {
  test('there is one at a time: what is owed waits for the end', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.conversation.news({ ...plain, notes: ['The member wrote: hi'] });
    expect(stage.responds).toBe(1);
    stage.answer('Hello');
    expect(stage.responds).toBe(2);
  });

  test('after a cancellation the next one waits for the report of the end', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    expect(stage.responds).toBe(1);
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId: stage.session.lastEvent });
    expect(stage.responds).toBe(1);
    stage.endResponse(responseId, { status: 'completed' });
    expect(stage.responds).toBe(2);
  });

  test('a refusal of the cancelling of a response that never began frees the way', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.say('Hello?');
    expect(stage.session.asked.at(-1)).toBe('cancel any');
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId: stage.session.lastEvent });
    expect(stage.responds).toBe(2);
  });

  test('a late refusal of an earlier cancelling does not concern the next response', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    const cancelEvent = stage.session.lastEvent;
    stage.endResponse(responseId, { status: 'completed' });
    stage.begin();
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId: cancelEvent });
    expect(stage.responds).toBe(2);
    expect(stage.closed).toBeUndefined();
  });

  test('an active one that nobody knows of is cancelled, and the call goes on', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const eventId = stage.session.lastEvent;
    stage.event({ type: 'refused', code: 'conversation_already_has_active_response', eventId });
    expect(stage.session.asked.at(-1)).toBe('cancel any');
    expect(stage.responds).toBe(1);
    stage.endResponse('stranger', { status: 'cancelled' });
    expect(stage.responds).toBe(2);
  });

  test('such a one that has ended meanwhile blocks nothing', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const { lastEvent } = stage.session;
    stage.event({ type: 'refused', code: 'conversation_already_has_active_response', eventId: lastEvent });
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId: stage.session.lastEvent });
    expect(stage.responds).toBe(2);
  });

  test('a response that was not asked for is cancelled, and its calls are not run', () => {
    const stage = Stage.opened();
    stage.event({ type: 'response_begun', responseId: 'x', request: undefined });
    expect(stage.session.asked).toEqual(['cancel x']);
    stage.endResponse('x', { status: 'completed', calls: [call('c1')] });
    expect(stage.toolRuns).toEqual([]);
    expect(stage.session.asked[1]).toContain('output c1 {"ok":false,"error":"interrupted"');
  });

  test('refusals of other requests end nothing', () => {
    const { stage } = speaking(1);
    stage.event({ type: 'refused', code: 'invalid_value', eventId: 'e99' });
    stage.event({ type: 'refused', code: 'invalid_value', eventId: undefined });
    expect(stage.closed).toBeUndefined();
  });

  test('one that was not asked for, and ended beside another, does not end the session of that', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.event({ type: 'response_begun', responseId: 'x', request: undefined });
    stage.endResponse('x', { status: 'cancelled' });
    const responseId = stage.begin();
    stage.speak(responseId, 'Good ');
    stage.clock.move(4_000);
    expect([stage.session.isClosed, stage.connects]).toEqual([false, 0]);
    stage.clock.move(2_000);
    expect(stage.session.asked.at(-1)).toBe(`cancel ${responseId}`);
  });

  test('refusals that no response depends on are told', () => {
    const { stage } = speaking(1);
    stage.event({ type: 'refused', code: 'invalid_value', eventId: 'e99' });
    stage.say('Stop');
    const { lastEvent: eventId } = stage.session;
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId });
    stage.endResponse('r1', { status: 'cancelled' });
    stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId });
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
      ['the session is lost', (stage) => stage.event({ type: 'closed', code: 'ws_1006' })],
      ['the caller hangs up', (stage) => stage.conversation.finish('caller_left')],
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
      stage.conversation.finish('caller_left');
      expect(stage.usage).toEqual([]);
      const begun = speaking(1).stage;
      lose(begun);
      begun.conversation.finish('caller_left');
      expect(begun.usage).toHaveLength(1);
    });
  });
});

describe('an agent that makes no sound', () => {
  test('a response without a sign of life is cancelled and asked for again', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    stage.clock.move(6_000);
    expect(stage.session.asked.at(-1)).toBe('cancel r1');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.responds).toBe(2);
  });

  test('one that makes sound in time is left alone', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    const responseId = stage.begin();
    for (let times = 0; times < 5; times += 1) {
      stage.clock.move(5_000);
      stage.event({ type: 'audio', responseId, itemId: 'i1', payload: sound(20) });
    }
    expect(stage.session.asked).not.toContain('cancel r1');
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
      stage.endResponse(responseId, { status: 'cancelled' });
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
      const [taken, eventId] = ['conversation_already_has_active_response', stage.session.lastEvent];
      stage.event({ type: 'refused', code: taken, eventId });
      stage.event({ type: 'refused', code: 'response_cancel_not_active', eventId: stage.session.lastEvent });
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
    stage.conversation.news({ ...plain, notes: ['The member has written: "late"'] });
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
    expect(stage.stored.map(({ text }) => text)).toEqual(['Good day']);
    stage.clock.move(5_000);
    expect(stage.responds).toBe(2);
  });

  test('after an interruption next to a tool call it answers', () => {
    const { stage, responseId } = speaking(2);
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.say('And another thing');
    expect(stage.responds).toBe(1);
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: plain });
    expect(stage.session.asked.slice(-2)).toEqual(['output c1 {"ok":true}', 'respond']);
  });

  test('failures of the model are tried again, and end the call after three', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 2; times += 1) {
      stage.endResponse(stage.begin(), { status: 'failed', reason: 'server_error' });
      expect(stage.responds).toBe(times);
      stage.clock.move(500);
      expect(stage.responds).toBe(times + 1);
    }
    stage.endResponse(stage.begin(), { status: 'failed', reason: 'server_error' });
    expect(stage.closed).toBe('model_lost');
  });

  test('an account without a quota is not asked again', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.endResponse(stage.begin(), { status: 'failed', reason: 'insufficient_quota' });
    expect(stage.closed).toBe('model_lost');
  });
});

describe('tools', () => {
  test('are run once the response is complete, and their results are spoken', () => {
    const stage = Stage.opened();
    stage.say('My name is Ada');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1'), call('c2')] });
    expect(stage.toolRuns).toEqual([{ responseId, calls: [call('c1'), call('c2')] }]);
    stage.conversation.toolsDone(responseId, { outputs: [done('c1'), done('c2')], news: plain });
    expect(stage.session.asked.slice(-3)).toEqual([
      'output c1 {"ok":true}',
      'output c2 {"ok":true}',
      'respond',
    ]);
  });

  test('of a response that was cut off are not run, and each has an output', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    stage.endResponse(responseId, { status: 'cancelled', calls: [call('c1')], brokenCallIds: ['c2'] });
    expect(stage.toolRuns).toEqual([]);
    const outputs = stage.session.asked.filter((asked) => asked.startsWith('output'));
    expect(outputs.map((asked) => asked.slice(0, 9))).toEqual(['output c2', 'output c1']);
    expect(stage.responds).toBe(2);
  });

  test('that take long are bridged by a filler, and the result is spoken as soon as it is there', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.clock.move(1_499);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.session.responds[1]).toMatchObject({ withTools: false });
    const filler = stage.begin();
    stage.speak(filler, 'One moment');
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: plain });
    expect(stage.session.asked.at(-1)).toBe('output c1 {"ok":true}');
    stage.endResponse(filler);
    expect(stage.responds).toBe(3);
  });

  test('a filler waits for words that are being played', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.speak(responseId, 'I ', 'look');
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.clock.move(1_600);
    expect(stage.responds).toBe(1);
    stage.play();
    stage.clock.move(500);
    expect(stage.responds).toBe(2);
  });

  test('a caller who speaks meanwhile is answered without tools, once there was a filler', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.clock.move(1_500);
    stage.answer('One moment');
    stage.play();
    stage.say('Are you there?', 'u2');
    expect(stage.session.responds[2]).toMatchObject({ withTools: false });
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: plain });
    stage.answer('Yes');
    expect(stage.session.responds[3]?.withTools).toBeUndefined();
  });

  test('a result after a reconnection is told as context', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.open();
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: plain });
    expect(stage.session.asked.some((asked) => asked.startsWith('output'))).toBe(false);
    expect(stage.session.asked.at(-2)).toContain('tell system The result of save_data');
    expect(stage.responds).toBe(1);
  });

  test('a result that comes between two sessions is told to the next one', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: plain });
    stage.open();
    expect(stage.session.asked[0]).toContain('tell system The result of save_data');
    expect(stage.responds).toBe(1);
  });

  test('new instructions are given before the answer', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    const news = { ...plain, instructions: { instructions: 'Next task.', tools: [] } };
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news });
    expect(stage.session.asked.slice(-3)).toEqual([
      'output c1 {"ok":true}',
      'instruct Next task.',
      'respond',
    ]);
  });

  test('while the agent stands by there is a filler, and an answer when it goes on', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: { ...plain, standsBy: true } });
    expect(stage.responds).toBe(1);
    stage.clock.move(1_500);
    expect(stage.looks).toBeGreaterThan(0);
    stage.answer('One moment');
    stage.play();
    expect(stage.responds).toBe(2);
    stage.conversation.news(plain);
    expect(stage.responds).toBe(3);
  });
});

describe('stored messages', () => {
  const toSay = [
    { messageId: 7, text: 'We are open "daily".' },
    { messageId: 8, text: 'Goodbye.' },
  ];

  test('are spoken word by word in their order, before the agent answers', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', news: { ...plain, toSay } });
    expect(stage.session.responds[0]).toMatchObject({ withTools: false });
    expect(stage.session.responds[0]?.instructions).toContain('“We are open "daily".”');
    stage.answer('We are open "daily".');
    expect(stage.session.responds[1]?.instructions).toContain('Goodbye.');
    stage.answer('Goodbye.');
    expect(stage.responds).toBe(2);
    stage.play();
    expect(stage.played.map(({ messageId }) => messageId)).toEqual([7, 8]);
    expect(stage.stored).toEqual([]);
    stage.conversation.messagePlayed(7, { ...plain, toSay: [toSay[1] as (typeof toSay)[number]] });
    stage.conversation.messagePlayed(8, plain);
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
    stage.conversation.messagePlayed(7, plain);
    expect(stage.responds).toBe(2);
  });

  test('of which nothing was heard are said again', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    const { itemId } = stage.answer('We are ', 'open');
    stage.say('Hello?');
    expect(stage.session.asked).toContain(`delete ${itemId}`);
    expect(stage.played).toEqual([]);
    expect(stage.session.responds[1]?.instructions).toContain('We are open');
  });

  test('whose response was interrupted before it began are said again', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.say('Hello?');
    stage.endResponse(stage.begin(), { status: 'cancelled' });
    expect(stage.session.responds[1]?.instructions).toBe(stage.session.responds[0]?.instructions);
    stage.answer(toSay[0]?.text ?? '');
    stage.play();
    stage.conversation.messagePlayed(7, plain);
    expect(stage.responds).toBe(3);
  });

  test('in the middle of which the session was lost are said again, once', () => {
    const stage = Stage.opened({ news: { ...plain, toSay: toSay.slice(0, 1) } });
    stage.speak(stage.begin(), 'We are ');
    stage.event({ type: 'closed', code: 'ws_1006' });
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
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.play();
    stage.open();
    expect(stage.played).toHaveLength(1);
    expect(stage.responds).toBe(0);
  });
});

describe('silence of the caller', () => {
  const conduct = { silenceMs: 8_000, silencePrompts: 1 };

  test('counts from the end of what was played', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct });
    stage.answer('How ', 'are ', 'you?');
    stage.clock.move(2_000);
    stage.play();
    stage.clock.move(7_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
    expect(stage.session.asked.at(-2)).toContain('tell system The caller has said nothing');
  });

  test('is over when the caller speaks', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct });
    stage.answer('How are you?');
    stage.play();
    stage.clock.move(7_000);
    stage.startSpeech();
    stage.clock.move(60_000);
    expect(stage.responds).toBe(1);
  });

  test('ends in a goodbye, which is played before the call ends', () => {
    const stage = Stage.opened({ firstWords: 'Greet.', conduct });
    stage.answer('How are you?');
    stage.play();
    stage.clock.move(8_000);
    stage.answer('Are you there?');
    stage.play();
    stage.clock.move(8_000);
    expect(stage.session.responds.at(-1)).toMatchObject({ withTools: false });
    stage.answer('Good', 'bye');
    expect(stage.left).toBeUndefined();
    stage.play();
    expect(stage.left).toEqual({ reason: 'agent_ended', byItself: true });
  });

  test('does not begin while tools run, or the agent stands by', () => {
    const stage = Stage.opened({ conduct: { ...conduct, fillerMs: 60_000 } });
    stage.say('Hello');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1')] });
    stage.clock.move(20_000);
    expect(stage.responds).toBe(1);
    stage.conversation.toolsDone(responseId, { outputs: [done('c1')], news: { ...plain, standsBy: true } });
    stage.clock.move(20_000);
    expect(stage.responds).toBe(1);
  });
});

describe('the end of a call', () => {
  function ending(pieces: string[]): Stage {
    const stage = Stage.opened();
    stage.say('That is all');
    const responseId = stage.begin();
    if (pieces.length > 0) stage.speak(responseId, ...pieces);
    stage.endResponse(responseId, { calls: [call('c1', 'end_call')] });
    stage.conversation.toolsDone(responseId, {
      outputs: [done('c1')],
      news: { ...plain, ending: 'hang_up' },
    });
    return stage;
  }

  test('a goodbye that is being played is not cut off, and is the last', () => {
    const stage = ending(['Good', 'bye']);
    expect(stage.responds).toBe(1);
    expect(stage.left).toBeUndefined();
    stage.startSpeech('u2');
    expect(stage.sent).not.toContain('clear');
    stage.play();
    expect(stage.left).toEqual({ reason: 'agent_ended', byItself: false });
  });

  test('an agent that has said nothing says goodbye first', () => {
    const stage = ending([]);
    expect(stage.responds).toBe(2);
    stage.answer('Bye');
    stage.play();
    expect(stage.closed).toBe('agent_ended');
  });

  test('without marks it comes some seconds after the expected end', () => {
    const stage = ending(['Good', 'bye']);
    stage.clock.move(3_400);
    expect(stage.closed).toBe('agent_ended');
  });

  test('a goodbye that never comes keeps nobody', () => {
    const stage = ending([]);
    stage.clock.move(20_000);
    expect(stage.left?.reason).toBe('agent_ended');
  });

  test('a transfer is announced, and ends the bridge as one', () => {
    const stage = Stage.opened();
    stage.say('A person, please');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1', 'forward_call')] });
    stage.conversation.toolsDone(responseId, {
      outputs: [done('c1')],
      news: { ...plain, ending: 'transfer' },
    });
    expect(stage.session.asked.at(-2)).toContain('transferred');
    stage.answer('I transfer you');
    stage.play();
    expect(stage.closed).toBe('transfer');
  });

  test('what the caller cuts off by leaving is stored as far as it was played', () => {
    const { stage, itemId } = speaking(2);
    stage.conversation.left();
    expect(stage.stored).toMatchObject([{ itemId, text: 'Good', cut: { reason: 'call_ended', atMs: 400 } }]);
    expect(stage.closed).toBe('caller_left');
    expect(stage.session.isClosed).toBe(true);
  });

  test('last words of the caller are waited for, and stored', () => {
    const stage = Stage.opened();
    stage.startSpeech();
    stage.stopSpeech();
    stage.conversation.left();
    expect(stage.left?.reason).toBe('caller_left');
    expect(stage.closed).toBeUndefined();
    stage.transcribe('Bye then');
    expect(stage.stored.map(({ text }) => text)).toEqual(['Bye then']);
    expect(stage.closed).toBe('caller_left');
  });

  test('last words that never come are not waited for long', () => {
    const stage = Stage.opened();
    stage.startSpeech();
    stage.stopSpeech();
    stage.conversation.left();
    stage.clock.move(2_000);
    expect(stage.closed).toBe('caller_left');
  });

  test('that the run wants comes after what is being said, and a goodbye', () => {
    const { stage, responseId } = speaking(2);
    stage.conversation.hangUp();
    stage.conversation.hangUp();
    expect(stage.sent).not.toContain('clear');
    stage.endResponse(responseId);
    expect(stage.session.responds).toMatchObject([{}, { withTools: false }]);
    expect(stage.session.asked.filter((asked) => asked.includes('has to end now'))).toHaveLength(1);
    stage.answer('We have to end here. Goodbye.');
    expect(stage.left).toBeUndefined();
    stage.play();
    expect(stage.left).toEqual({ reason: 'commanded', byItself: false });
  });

  test('that the run wants comes in time although no session can be had, and not after a goodbye', () => {
    const lost = new Stage();
    lost.conversation.hangUp();
    lost.clock.move(20_000);
    expect(lost.left?.reason).toBe('commanded');

    const stage = ending(['Good', 'bye']);
    stage.conversation.hangUp();
    stage.play();
    expect([stage.responds, stage.left?.reason]).toEqual([1, 'agent_ended']);
  });

  test.each(['commanded', 'superseded', 'drained'] as const)('%s ends it at once', (reason) => {
    const { stage } = speaking(1);
    stage.conversation.stop(reason);
    expect(stage.left?.reason).toBe(reason);
    expect(stage.closed).toBe(reason);
  });

  test('a later attempt ends it', () => {
    const { stage } = speaking(1);
    stage.conversation.news({ isCurrent: false });
    expect(stage.closed).toBe('superseded');
  });

  test('nothing that comes afterwards does anything', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.conversation.left();
    const { sent, session } = stage;
    const before = [sent.length, session.asked.length, stage.stored.length];
    stage.conversation.hear(sound(20), 0);
    stage.conversation.press('1');
    stage.event({ type: 'audio', responseId, itemId, payload: sound(20) });
    stage.startSpeech();
    stage.conversation.left();
    stage.clock.move(600_000);
    expect([sent.length, session.asked.length, stage.stored.length]).toEqual(before);
  });
});

describe('a session that is lost', () => {
  test('is replaced; what is played goes on, and what is owed is owed', () => {
    const { stage } = speaking(1);
    const before = stage.sent.length;
    stage.event({ type: 'closed', code: 'ws_1006' });
    expect(stage.connects).toBe(1);
    expect(stage.sent.slice(before).filter((sent) => sent === 'clear')).toEqual([]);
    stage.open();
    expect(stage.session.asked[0]).toBe('tell assistant Good morning to you');
    expect(stage.session.asked[1]).toContain('Go on where you were');
    expect(stage.responds).toBe(1);
    stage.play();
    expect(stage.stored.map(({ text }) => text)).toEqual(['Good morning to you']);
  });

  test('before the first words is told them again, and not to go on', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.open({ firstWords: 'Greet.' });
    expect(stage.session.asked).toEqual(['tell system Greet.', 'respond']);
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
      stage.event({ type: 'closed', code: 'ws_1011' });
      if (times < 3) stage.open();
    }
    expect(stage.closed).toBe(closed);
  });

  test('after an answer does not count with one before it', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    for (let times = 1; times <= 4; times += 1) {
      stage.answer('Hello');
      stage.play();
      stage.event({ type: 'closed', code: 'ws_1006' });
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
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.clock.move(401 + 3_000);
    expect(stage.stored.map(({ text }) => text)).toEqual(['Good morning to you']);
  });

  test('while nothing was owed leaves the agent quiet', () => {
    const stage = Stage.opened({ firstWords: 'Greet.' });
    stage.answer('Hello');
    stage.play();
    stage.event({ type: 'closed', code: 'ws_1001' });
    stage.open();
    expect(stage.session.asked).toEqual([]);
  });

  test('does not touch items of the earlier one', () => {
    const { stage } = speaking(2);
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.open();
    stage.begin();
    stage.say('Stop');
    expect(stage.session.asked.filter((asked) => /truncate|delete/.test(asked))).toEqual([]);
    expect(stage.stored[0]).toMatchObject({ by: 'agent', text: 'Good', cut: { atMs: 400 } });
  });

  test('during an undecided interruption lets the agent go on', () => {
    const { stage } = speaking(2);
    stage.startSpeech();
    const before = stage.sent.length;
    stage.event({ type: 'closed', code: 'ws_1006' });
    expect(soundsIn(stage.sent.slice(before))).toEqual([100, 100, 200]);
  });

  test('events of the earlier session are not heard any more', () => {
    const stage = Stage.opened();
    const earlier = stage.session;
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.event({ type: 'speech_started', itemId: 'u1', atMs: 0 });
    stage.open();
    stage.conversation.take(1, { type: 'heard', itemId: 'u9', afterItemId: null });
    expect(stage.responds).toBe(0);
    expect(earlier.asked).toEqual([]);
  });

  test('if none can be had the model is lost', () => {
    const stage = Stage.opened();
    stage.event({ type: 'closed', code: 'ws_1006' });
    stage.conversation.refused();
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

describe('a noise while nothing is said', () => {
  test('is not answered, and the model does not hear of it', () => {
    const stage = Stage.opened({ conduct: { silenceMs: 8_000, silencePrompts: 1 } });
    stage.startSpeech();
    stage.stopSpeech();
    const responseId = stage.begin();
    stage.transcribe('');
    expect(stage.session.asked.slice(-2)).toEqual([`cancel ${responseId}`, 'delete u1']);
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.responds).toBe(1);
    stage.clock.move(8_000);
    expect(stage.responds).toBe(2);
  });

  test('whose answer is heard already is answered', () => {
    const stage = Stage.opened();
    stage.startSpeech();
    stage.stopSpeech();
    stage.speak(stage.begin(), 'Pardon?');
    stage.transcribe('');
    expect(stage.session.asked.filter((asked) => asked.startsWith('cancel'))).toEqual([]);
  });
});

describe('transcripts', () => {
  test('are stored in the order of what was said, however they come', () => {
    const stage = Stage.opened();
    stage.startSpeech('u1');
    stage.stopSpeech('u1');
    stage.answer('First answer');
    stage.play();
    stage.startSpeech('u2');
    stage.stopSpeech('u2');
    stage.transcribe('Second', 'u2');
    expect(stage.stored).toEqual([]);
    stage.transcribe('First', 'u1');
    expect(stage.stored.map(({ text }) => text)).toEqual(['First', 'First answer', 'Second']);
  });

  test('one that takes too long keeps nothing back, and is stored when it comes', () => {
    const stage = Stage.opened();
    stage.startSpeech('u1');
    stage.stopSpeech('u1');
    stage.answer('An answer');
    stage.play();
    expect(stage.stored).toEqual([]);
    stage.clock.move(5_000);
    expect(stage.stored.map(({ text }) => text)).toEqual(['An answer']);
    stage.transcribe('Late', 'u1');
    expect(stage.stored.map(({ text }) => text)).toEqual(['An answer', 'Late']);
  });

  test('one that failed is stored as such', () => {
    const stage = Stage.opened();
    stage.startSpeech();
    stage.stopSpeech();
    stage.event({ type: 'not_transcribed', itemId: 'u1', code: 'audio_unintelligible' });
    expect(stage.stored.map(({ text }) => text)).toEqual(['[inaudible]']);
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
    for (const digit of '12#') stage.conversation.press(digit);
    expect(stage.stored.map(({ text }) => text)).toEqual(['[The caller has pressed these keys: 12]']);
    expect(stage.responds).toBe(1);
    stage.answer('Thank you');
    stage.play();
    stage.conversation.press('3');
    stage.clock.move(2_999);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.responds).toBe(2);
    expect(stage.session.asked).toContain('tell user [The caller has pressed these keys: 3]');
  });

  test('of a sensitive field reach neither the model nor the transcript', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    for (const digit of '4711#') stage.conversation.press(digit);
    expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
    stage.conversation.keysTaken({ told: 'The value of pin is stored.', news: plain });
    stage.conversation.left();
    expect(JSON.stringify([stage.session.asked, stage.stored])).not.toContain('4711');
    expect(stage.session.asked).toContain('tell system The value of pin is stored.');
  });

  test('belong to the field that was asked for when the first was pressed', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    stage.conversation.press('4');
    stage.conversation.news(plain);
    for (const digit of '711#') stage.conversation.press(digit);
    expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
    expect(stage.stored).toEqual([]);
  });

  test.each(['while they were pressed', 'after the last'] as const)(
    'of somebody who knows the question are its answer, which was asked %s',
    (when) => {
      const stage = Stage.opened();
      const [first, rest] = when === 'after the last' ? ['4711', ''] : ['47', '11#'];
      for (const digit of first) stage.conversation.press(digit);
      stage.conversation.news({ ...plain, keysFor: 'pin' });
      for (const digit of rest) stage.conversation.press(digit);
      stage.clock.move(3_000);
      expect(stage.keysTaken).toEqual([{ field: 'pin', digits: '4711' }]);
      expect(JSON.stringify([stage.session.asked, stage.stored])).not.toContain('4711');
    },
  );

  test('that are not complete when the caller leaves are not taken', () => {
    const stage = Stage.opened({ news: { ...plain, keysFor: 'pin' } });
    stage.conversation.press('4');
    stage.conversation.left();
    expect(stage.keysTaken).toEqual([]);
    expect(stage.stored).toEqual([]);
  });

  test('stop the agent, which answers once they are entered', () => {
    const { stage, responseId, itemId } = speaking(2);
    stage.conversation.press('1');
    expect(stage.sent.at(-1)).toBe('clear');
    stage.endResponse(responseId, { status: 'cancelled' });
    expect(stage.session.asked).toContain(`truncate ${itemId} 400`);
    expect(stage.responds).toBe(1);
    stage.conversation.press('#');
    expect(stage.responds).toBe(2);
  });

  test('have a bound', () => {
    const stage = Stage.opened();
    for (let place = 0; place < 100; place += 1) stage.conversation.press('1');
    expect(stage.stored[0]?.text).toBe(`[The caller has pressed these keys: ${'1'.repeat(64)}]`);
  });
});

describe('what is written meanwhile', () => {
  test('is told after the sentence that is spoken, and answered with the next words', () => {
    const { stage, responseId } = speaking(1);
    stage.conversation.news({ ...plain, notes: ['The member has written: "late"'] });
    expect(stage.session.asked.at(-1)).toBe('tell system The member has written: "late"');
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

describe('a side that takes nothing', () => {
  test('the carrier: the model is not read until it does', () => {
    const { stage } = speaking(1);
    stage.stream.bufferedBytes = 300_000;
    stage.event({ type: 'audio', responseId: 'r1', itemId: 'i1', payload: sound(20) });
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
