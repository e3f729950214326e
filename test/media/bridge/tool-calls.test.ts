import { describe, expect, test } from 'vitest';
import { call, plain, Stage, speaking } from './stage.js';

describe('tools', () => {
  test('are run once the response is complete, and their results are spoken', () => {
    const stage = Stage.opened();
    stage.say('My name is Ada');
    const responseId = stage.begin();
    stage.endResponse(responseId, { calls: [call('c1'), call('c2')] });
    expect(stage.toolRuns).toEqual([{ responseId, calls: [call('c1'), call('c2')] }]);
    stage.toolsDone(responseId);
    expect(stage.asked.slice(-3)).toEqual(['output c1 {"ok":true}', 'output c2 {"ok":true}', 'respond']);
  });

  test('of a response that was cut off are not run, and each has an output', () => {
    const { stage, responseId } = speaking(1);
    stage.say('Stop');
    stage.endResponse(responseId, { status: 'cancelled', calls: [call('c1')], brokenCallIds: ['c2'] });
    expect(stage.toolRuns).toEqual([]);
    const outputs = stage.asked.filter((asked) => asked.startsWith('output'));
    expect(outputs.map((asked) => asked.slice(0, 9))).toEqual(['output c2', 'output c1']);
    expect(stage.responds).toBe(2);
  });

  test('that take long are bridged by a filler, and the result is spoken as soon as it is there', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    stage.clock.move(1_499);
    expect(stage.responds).toBe(1);
    stage.clock.move(1);
    expect(stage.requests[1]).toMatchObject({ withTools: false });
    const filler = stage.begin();
    stage.speak(filler, 'One moment');
    stage.toolsDone(responseId);
    expect(stage.asked.at(-1)).toBe('output c1 {"ok":true}');
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
    const responseId = stage.callTools('c1');
    stage.clock.move(1_500);
    stage.answer('One moment');
    stage.play();
    stage.say('Are you there?', 'u2');
    expect(stage.requests[2]).toMatchObject({ withTools: false });
    stage.toolsDone(responseId);
    stage.answer('Yes');
    expect(stage.requests[3]?.withTools).toBeUndefined();
  });

  test('a result after a reconnection is told as context', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    stage.lose();
    stage.open();
    stage.toolsDone(responseId);
    expect(stage.asked.some((asked) => asked.startsWith('output'))).toBe(false);
    expect(stage.asked.at(-2)).toContain('tell system The result of save_data');
    expect(stage.responds).toBe(1);
  });

  test('a result that comes between two sessions is told to the next one', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    stage.lose();
    stage.toolsDone(responseId);
    stage.open();
    expect(stage.asked[0]).toContain('tell system The result of save_data');
    expect(stage.responds).toBe(1);
  });

  test('new instructions are given before the answer', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    const news = { ...plain, instructions: { instructions: 'Next task.', tools: [] } };
    stage.toolsDone(responseId, news);
    expect(stage.asked.slice(-3)).toEqual(['output c1 {"ok":true}', 'instruct Next task.', 'respond']);
  });

  test('while the agent stands by there is a filler, and an answer when it goes on', () => {
    const stage = Stage.opened();
    stage.say('Hello');
    const responseId = stage.callTools('c1');
    stage.toolsDone(responseId, { ...plain, standsBy: true });
    expect(stage.responds).toBe(1);
    stage.clock.move(1_500);
    expect(stage.looks).toBeGreaterThan(0);
    stage.answer('One moment');
    stage.play();
    expect(stage.responds).toBe(2);
    stage.voice.news(plain);
    expect(stage.responds).toBe(3);
  });
});
