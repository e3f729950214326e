import { describe, expect, test } from 'vitest';
import { call, plain, Stage, sound, speaking } from './stage.js';

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
    expect(stage.asked.at(-2)).toContain('tell system The caller has said nothing');
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
    expect(stage.requests.at(-1)).toMatchObject({ withTools: false });
    stage.answer('Good', 'bye');
    expect(stage.left).toBeUndefined();
    stage.play();
    expect(stage.left).toEqual({ reason: 'agent_ended', byItself: true });
  });

  test('does not begin while tools run, or the agent stands by', () => {
    const stage = Stage.opened({ conduct: { ...conduct, fillerMs: 60_000 } });
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    stage.clock.move(20_000);
    expect(stage.responds).toBe(1);
    stage.toolsDone(responseId, { ...plain, standsBy: true });
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
    stage.toolsDone(responseId, { ...plain, ending: 'hang_up' });
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
    stage.toolsDone(responseId, { ...plain, ending: 'transfer' });
    expect(stage.asked.at(-2)).toContain('transferred');
    stage.answer('I transfer you');
    stage.play();
    expect(stage.closed).toBe('transfer');
  });

  test('what the caller cuts off by leaving is stored as far as it was played', () => {
    const { stage, itemId } = speaking(2);
    stage.voice.left();
    expect(stage.stored).toMatchObject([{ itemId, text: 'Good', cut: { reason: 'call_ended', atMs: 400 } }]);
    expect(stage.closed).toBe('caller_left');
    expect(stage.session.isClosed).toBe(true);
  });

  test('last words of the caller are waited for, and stored', () => {
    const stage = Stage.opened();
    stage.utter();
    stage.voice.left();
    expect(stage.left?.reason).toBe('caller_left');
    expect(stage.closed).toBeUndefined();
    stage.transcribe('Bye then');
    expect(stage.texts).toEqual(['Bye then']);
    expect(stage.closed).toBe('caller_left');
  });

  test('last words that never come are not waited for long', () => {
    const stage = Stage.opened();
    stage.utter();
    stage.voice.left();
    stage.clock.move(2_000);
    expect(stage.closed).toBe('caller_left');
  });

  test('that the run wants comes after what is being said, and a goodbye', () => {
    const { stage, responseId } = speaking(2);
    stage.voice.hangUp();
    stage.voice.hangUp();
    expect(stage.sent).not.toContain('clear');
    stage.endResponse(responseId);
    expect(stage.requests).toMatchObject([{}, { withTools: false }]);
    expect(stage.asked.filter((asked) => asked.includes('has to end now'))).toHaveLength(1);
    stage.answer('We have to end here. Goodbye.');
    expect(stage.left).toBeUndefined();
    stage.play();
    expect(stage.left).toEqual({ reason: 'commanded', byItself: false });
  });

  test('that the run wants comes in time although no session can be had, and not after a goodbye', () => {
    const lost = new Stage();
    lost.voice.hangUp();
    lost.clock.move(20_000);
    expect(lost.left?.reason).toBe('commanded');

    const stage = ending(['Good', 'bye']);
    stage.voice.hangUp();
    stage.play();
    expect([stage.responds, stage.left?.reason]).toEqual([1, 'agent_ended']);
  });

  test.each(['commanded', 'superseded', 'drained'] as const)('%s ends it at once', (reason) => {
    const { stage } = speaking(1);
    stage.voice.stop(reason);
    expect(stage.left?.reason).toBe(reason);
    expect(stage.closed).toBe(reason);
  });

  test('a later attempt ends it', () => {
    const { stage } = speaking(1);
    stage.voice.news({ isCurrent: false });
    expect(stage.closed).toBe('superseded');
  });

  test('nothing that comes afterwards does anything', () => {
    const { stage, responseId, itemId } = speaking(1);
    stage.voice.left();
    const { sent, session } = stage;
    const before = [sent.length, session.asked.length, stage.stored.length];
    stage.voice.hear(sound(20), 0);
    stage.press('1');
    stage.sound(responseId, itemId, 20);
    stage.startSpeech();
    stage.voice.left();
    stage.clock.move(600_000);
    expect([sent.length, session.asked.length, stage.stored.length]).toEqual(before);
  });
});
