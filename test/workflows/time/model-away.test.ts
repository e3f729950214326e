import { describe, expect, it } from 'vitest';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { beginOnWeb, openWebChat, type WebChat } from '../../support/chats/web-chat.js';
import { days, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { tried } from '../../support/temporal/tried.js';

const { system, workspace } = useSmsWorkspace(startSkippingSystem);

const nameOf = (chat: WebChat): string => chat.member.row.name ?? '';

/** By default more answers than there are attempts within the twenty minutes for which a round is tried. */
const modelAnswers = (chat: WebChat, answer: { status: number; error?: string }, times = 200) =>
  system.model.script(Array(times).fill(answer), nameOf(chat));
const modelIsAway = (chat: WebChat, times?: number) => modelAnswers(chat, { status: 503 }, times);
/** The provider rejects the API key in this chat. */
const keyIsRefused = (chat: WebChat, times?: number) =>
  modelAnswers(chat, { status: 401, error: 'invalid_api_key' }, times);

/** A chat whose member has written while the model is away. */
async function writtenWhileAway(times?: number): Promise<WebChat> {
  const chat = await openWebChat({ system, workspace });
  await modelIsAway(chat, times);
  await chat.write('hello');
  await tried(system.run('answerChat', chat.chatUuid));
  return chat;
}

const end: RevisionTask = { name: 'End', taskType: 'conclude', configuration: { outcome: 'done' } };

const calledPerson = (chat: WebChat) =>
  waitFor('a colleague is alerted', async () => (await chat.chat()).needsResponse);

describe('an unavailable model', () => {
  it('delays the answer if it returns within minutes', async () => {
    const chat = await writtenWhileAway(8);

    await system.skip(minutes(10));
    await chat.handled();

    expect(await chat.said('assistant')).toEqual([expect.stringContaining('You wrote: hello.')]);
    expect((await chat.chat()).needsResponse).toBe(false);
    expect(await system.model.requests(nameOf(chat))).toHaveLength(9);
  });

  it('alerts a colleague once after the retry limit, and ends the run', async () => {
    const chat = await writtenWhileAway();

    await system.skip(minutes(18));
    expect((await chat.chat()).needsResponse).toBe(false);
    await system.skip(minutes(3));
    await calledPerson(chat);
    await chat.rests();
    const asked = (await system.model.requests(nameOf(chat))).length;
    await system.skip(days(2));

    expect(await chat.said('assistant')).toEqual([]);
    expect(await system.model.requests(nameOf(chat))).toHaveLength(asked);
    expect((await system.run('answerChat', chat.chatUuid).describe()).status.name).toBe('COMPLETED');
  });

  it('is asked again with the next message after its return, and answers everything', async () => {
    const chat = await writtenWhileAway();
    await system.skip(minutes(21));
    await calledPerson(chat);
    await chat.rests();
    await system.model.unscript();

    await system.skip(days(1));
    await chat.write('still there?');
    await chat.handled();

    expect(await chat.said('assistant')).toEqual([
      expect.stringContaining('You wrote: hello / still there?'),
    ]);
    expect((await chat.chat()).needsResponse).toBe(false);
  });

  it('leaves an assignment in its task with its timer active', async () => {
    const configuration = { for: 'P2D' };
    const wait = { name: 'Wait', taskType: 'wait', configuration, autoNext: true, children: [end] };
    const chat = await beginOnWeb({ system, workspace }, wait);
    await chat.rests();
    await modelIsAway(chat);
    await chat.write('hello');
    await tried(system.run('runAssignment', chat.assignmentUuid));

    await system.skip(minutes(21));
    await calledPerson(chat);
    await chat.rests();
    expect((await chat.assignment()).status).toBe('active');
    await system.model.unscript();
    await system.skip(days(2));

    await chat.concluded('completed');
    const { visitedAt, completedAt } = await chat.task('Wait');
    const tookMs = (completedAt?.getTime() ?? Number.NaN) - (visitedAt?.getTime() ?? Number.NaN);
    expect(tookMs).toBeGreaterThanOrEqual(days(2));
    expect(tookMs).toBeLessThan(days(2) + minutes(1));
  });
});

const held = (chat: WebChat) =>
  waitFor('the turn is held', async () => {
    const { agentHeldUntil } = await chat.chat();
    return agentHeldUntil !== null && agentHeldUntil > system.clock.now();
  });

/** Skips time in steps and waits for the turn to be held again after each step. */
async function pass(chat: WebChat, howLongMs: number): Promise<void> {
  for (let passed = 0; passed < howLongMs; passed += minutes(5)) {
    await held(chat);
    await system.skip(minutes(5));
  }
}

describe('an unusable account at the model provider', () => {
  it('delays the answer and alerts no colleague', async () => {
    const chat = await openWebChat({ system, workspace });
    await keyIsRefused(chat, 1);
    await chat.write('hello');
    await held(chat);

    await system.skip(minutes(3));
    await chat.handled();

    expect(await chat.said('assistant')).toEqual([expect.stringContaining('You wrote: hello.')]);
    expect(await chat.chat()).toMatchObject({ needsResponse: false, agentHeldSince: null });
    expect(await system.model.requests(nameOf(chat))).toHaveLength(2);
  });

  it('alerts a colleague after a longer time, and the agent answers once it is usable', async () => {
    const chat = await openWebChat({ system, workspace });
    await keyIsRefused(chat);
    await chat.write('hello');

    await pass(chat, minutes(45));
    await calledPerson(chat);
    expect((await chat.chat()).needsResponseReason).toBe('model_unavailable');
    // The turn is held for up to five minutes at a time, with at most two attempts in each of these periods.
    expect((await system.model.requests(nameOf(chat))).length).toBeLessThan(20);
    await held(chat);
    await system.model.unscript();
    await system.skip(minutes(20));

    await chat.handled();
    expect(await chat.said('assistant')).toEqual([expect.stringContaining('You wrote: hello.')]);
    expect((await chat.chat()).needsResponse).toBe(false);
  });

  it('leaves an assignment active, which then continues', async () => {
    const talk = { name: 'Talk', taskType: 'conversation', prompt: 'Talk.', children: [end] };
    const chat = await beginOnWeb({ system, workspace }, talk);
    await chat.rests();
    await keyIsRefused(chat, 1);
    // The simulated model would take a yes as the single choice of the task.
    await chat.write('no');
    await held(chat);

    await system.skip(minutes(3));
    await chat.handled();

    expect(await chat.said('assistant')).toHaveLength(2);
    expect((await chat.assignment()).status).toBe('active');
  });
});
