import { describe, expect, it } from 'vitest';
import type { AssignmentTaskRow } from '../../../db/assignments/assignment-tasks.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import type { RunType } from '../../../workflows/contracts/runs.js';
import { beginOnWeb, openWebChat, type WebAssignment, type WebChat } from '../../support/chats/web-chat.js';
import { days, hours, minutes } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { startSkippingSystem } from '../../support/system/skipping-system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { historyChain } from './history-chain.js';

const { system, workspace } = useSmsWorkspace(startSkippingSystem);

const wait = (configuration: Record<string, unknown>, name = 'Wait'): RevisionTask => ({
  name,
  taskType: 'wait',
  configuration,
  autoNext: true,
});

const end: RevisionTask = { name: 'End', taskType: 'conclude', configuration: { outcome: 'waited' } };

/** Waits one after the other, followed by the end. */
const waits = (...tasks: RevisionTask[]): RevisionTask => ({
  name: 'Begin',
  taskType: 'message',
  configuration: { text: 'Hello.' },
  autoNext: true,
  children: [...tasks, end],
});

async function begin(...tasks: RevisionTask[]): Promise<WebAssignment> {
  const chat = await beginOnWeb({ system, workspace }, waits(...tasks));
  await chat.rests();
  return chat;
}

/** Expects this duration or slightly more, because a worker has to handle the timer. */
function expectWaited({ visitedAt, completedAt }: AssignmentTaskRow, milliseconds: number): void {
  const waited = (completedAt?.getTime() ?? Number.NaN) - (visitedAt?.getTime() ?? Number.NaN);
  expect(waited).toBeGreaterThanOrEqual(milliseconds);
  expect(waited).toBeLessThan(milliseconds + 60_000);
}

/** What the Temporal UI shows of a run. */
const detailsOf = async (runType: RunType, subject: string) => {
  const run = system.run(runType, subject);
  return (await run.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
};

describe('a wait task', () => {
  it.each([
    ['for thirty days', { for: 'P30D' }],
    ['until a time thirty days ahead', { until: '{{ now + duration("720h") }}' }],
  ])('%s ends on time, with one timer', async (_, configuration) => {
    const chat = await begin(wait(configuration));

    await system.skip(days(30) - hours(1));
    await chat.rests();
    expect((await chat.task('Wait')).completedAt).toBeNull();
    expect((await chat.assignment()).status).toBe('active');
    await system.skip(hours(1));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
    const [run] = await historyChain(system.client, `assignment-${chat.assignmentUuid}`);
    expect(run?.events.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
  });

  it('lets the agent answer in between and keeps its end time', async () => {
    const chat = await begin(wait({ for: 'P30D' }));

    for (const text of ['one', 'two']) {
      await system.skip(days(10));
      await chat.write(text);
      await chat.handled();
      await chat.rests();
    }
    expect((await chat.task('Wait')).completedAt).toBeNull();
    await system.skip(days(11));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
    expect(await chat.said('assistant')).toHaveLength(3);
  });

  it('with unlessReply ends at the reply, once', async () => {
    const reply = wait({ for: 'P30D', unlessReply: true }, 'Reply');
    const chat = await begin(reply, wait({ for: 'P90D' }, 'Later'));

    await system.skip(days(10));
    await chat.write('here I am');
    await chat.completed('Reply');
    await chat.rests();
    await system.skip(days(40));

    expectWaited(await chat.task('Reply'), days(10));
    expect((await chat.task('Later')).completedAt).toBeNull();
    await system.skip(days(51));
    await chat.concluded('completed');
    expectWaited(await chat.task('Later'), days(90));
  });

  it('with unlessReply ends on time without a reply', async () => {
    const chat = await begin(wait({ for: 'P30D', unlessReply: true }));

    await system.skip(days(31));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
  });

  it('for a condition ends when it becomes true, although it looks again meanwhile', async () => {
    const chat = await begin(wait({ condition: 'chat.paused', atMost: 'P30D' }));
    const { dueAt } = await chat.task('Wait');
    expect(await detailsOf('runAssignment', chat.assignmentUuid)).toContain(
      `waits for its condition to hold, or for the time to come (until ${dueAt?.toISOString()})`,
    );

    await system.skip(days(3));
    await chat.rests();
    expect((await chat.task('Wait')).completedAt).toBeNull();
    await chat.update({ paused: true });

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(3));
    expect(await chat.task('Wait')).toMatchObject({ endedBy: 'condition', dueAt: null });
  });

  it('for an event ends at its time limit without one', async () => {
    const chat = await begin(wait({ event: 'data_record:created', atMost: 'P10D' }));

    await system.skip(days(11));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(10));
    expect(await chat.task('Wait')).toMatchObject({ endedBy: 'time_limit' });
  });

  it('ends on time in a paused chat', async () => {
    const chat = await begin(wait({ for: 'P30D' }));
    await chat.update({ paused: true });
    await chat.rests();

    await system.skip(days(31));

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(30));
  });

  it('does not end in an archived chat, and ends when the chat is reopened', async () => {
    const chat = await begin(wait({ for: 'P30D' }));
    await chat.update({ archived: true });
    await chat.rests();

    await system.skip(days(50));
    await chat.rests();
    expect((await chat.task('Wait')).completedAt).toBeNull();
    await chat.update({ archived: false });

    await chat.concluded('completed');
    expectWaited(await chat.task('Wait'), days(50));
  });

  it('starts when the previous of six successive waits ends', async () => {
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];
    const chat = await begin(...names.map((name) => wait({ for: 'P60D' }, name)));

    await system.skip(days(361));

    await chat.concluded('completed');
    const rows = await Promise.all(names.map((name) => chat.task(name)));
    for (const row of rows) expectWaited(row, days(60));
    for (const [index, row] of rows.slice(1).entries()) {
      expect(row.visitedAt).toEqual(rows[index]?.completedAt);
    }
  });
});

interface FollowUp {
  instructions: string;
  due_at: Date;
  fired_at: Date | null;
  cancelled_at: Date | null;
}

const followUpsOf = (chat: WebChat) =>
  workspace.select<FollowUp>(
    'select instructions, due_at, fired_at, cancelled_at from follow_ups where chat_id = ? order by due_at',
    [chat.chatId],
  );

const ask = async (chat: WebChat, method: string, path = '') => {
  const answer = await workspace.asAdmin(method, `/chats/${chat.chatId}/follow-ups${path}`);
  if (answer.status >= 300) throw new Error(`refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const pendingOf = async (chat: WebChat): Promise<{ id: number; dueAt: string }[]> =>
  (await ask(chat, 'GET')).items;
const cancel = (chat: WebChat, id: number) => ask(chat, 'DELETE', `/${id}`);

type Promised = [after: string, instructions: string];

/** The member of a chat asks for follow-ups, and the agent schedules them with these delays and instructions. */
async function promisedIn<Chat extends WebChat>(chat: Chat, ...followUps: Promised[]): Promise<Chat> {
  const toolCalls = followUps.map(([after, instructions]) => ({
    name: 'schedule_follow_up',
    arguments: { after, instructions },
  }));
  await system.model.script([{ toolCalls }, { content: 'I will.' }], chat.member.row.name ?? '');
  await chat.write('remind me');
  await chat.handled();
  await chat.rests();
  return chat;
}

const promised = async (...followUps: Promised[]) =>
  promisedIn(await openWebChat({ system, workspace }), ...followUps);

const statusOf = async (chat: WebChat) =>
  (await system.run('answerChat', chat.chatUuid).describe()).status.name;

/** Resolves once this number of follow-ups has fired. */
async function fired(chat: WebChat, count: number): Promise<void> {
  await waitFor(
    `${count} follow-up(s) have come`,
    async () => (await followUpsOf(chat)).filter(({ fired_at }) => fired_at !== null).length === count,
  );
}

async function expectOnTime(chat: WebChat): Promise<void> {
  for (const { due_at, fired_at } of await followUpsOf(chat)) {
    const lateMs = (fired_at?.getTime() ?? Number.NaN) - due_at.getTime();
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(minutes(1));
  }
}

describe('a follow-up', () => {
  it('reaches a silent member on time, once, and its run ends', async () => {
    const chat = await promised(['P14D', 'Ask how it went']);

    await system.skip(days(14) - hours(1));
    await chat.rests();
    expect(await chat.said('assistant')).toEqual(['I will.']);
    await system.skip(hours(1));
    await fired(chat, 1);
    await chat.handled();
    await chat.rests();
    await system.skip(days(60));

    expect(await chat.said('system')).toEqual(['A follow-up is due: Ask how it went']);
    expect(await chat.said('assistant')).toEqual(['I will.', expect.stringContaining('Ask how it went')]);
    await expectOnTime(chat);
    expect(await statusOf(chat)).toBe('COMPLETED');
  });

  it('fires on time although the member writes before, which is answered at once', async () => {
    const chat = await promised(['P14D', 'Ask how it went']);

    await system.skip(days(7));
    await chat.write('hello again');
    await chat.handled();
    expect(await chat.said('assistant')).toEqual(['I will.', expect.stringContaining('hello again')]);
    await chat.rests();
    await system.skip(days(7) + hours(1));
    await fired(chat, 1);
    await chat.handled();

    expect(await chat.said('assistant')).toHaveLength(3);
    await expectOnTime(chat);
  });

  it('fires on time among several that were scheduled in another order', async () => {
    const chat = await promised(['P300D', 'the last'], ['P1D', 'the first'], ['P30D', 'the second']);

    for (const [gap, words] of [
      [days(1), 'the first'],
      [days(29), 'the second'],
      [days(270), 'the last'],
    ] as const) {
      const before = (await chat.said('system')).length;
      await system.skip(gap + minutes(1));
      await fired(chat, before + 1);
      await chat.handled();
      await chat.rests();
      expect((await chat.said('assistant')).at(-1)).toContain(words);
    }

    expect(await chat.said('system')).toHaveLength(3);
    await expectOnTime(chat);
  });

  it('is noted in a paused chat, and spoken when the chat is resumed', async () => {
    const chat = await promised(['P2D', 'Ask how it went']);
    await chat.update({ paused: true });

    await system.skip(days(3));
    await fired(chat, 1);
    await chat.rests();
    expect(await chat.said('assistant')).toEqual(['I will.']);
    await chat.update({ paused: false });
    await chat.handled();

    expect(await chat.said('assistant')).toEqual(['I will.', expect.stringContaining('Ask how it went')]);
  });

  it('waits in an archived chat, and fires when it is reopened', async () => {
    const chat = await promised(['P2D', 'Ask how it went']);
    await chat.update({ archived: true });
    await chat.rests();

    await system.skip(days(10));
    await chat.rests();
    expect(await chat.said('system')).toEqual([]);
    await chat.update({ archived: false });
    await fired(chat, 1);
    await chat.handled();

    expect(await chat.said('assistant')).toEqual(['I will.', expect.stringContaining('Ask how it went')]);
  });
});

describe('a cancelled follow-up', () => {
  const waitsUntil = ({ chatUuid }: WebChat, time: string) =>
    waitFor(`the run waits until ${time}`, async () =>
      (await detailsOf('answerChat', chatUuid)).includes(`until ${time}`),
    );
  const ended = (chat: WebChat) =>
    waitFor('the run has ended', async () => (await statusOf(chat)) === 'COMPLETED');

  it('moves the timer of the run to the next one, and ends the run if it was the last', async () => {
    const chat = await promised(['P1D', 'the first'], ['P3D', 'the second']);
    const [first, second] = await pendingOf(chat);
    await waitsUntil(chat, first?.dueAt ?? '');

    await cancel(chat, first?.id ?? 0);
    await waitsUntil(chat, second?.dueAt ?? '');
    await system.skip(days(2));
    await chat.rests();
    expect(await chat.said('system')).toEqual([]);

    await cancel(chat, second?.id ?? 0);
    await ended(chat);
    expect(await detailsOf('answerChat', chat.chatUuid)).toBe(
      'The agent took 1 turn: replied. Nothing is left to answer.',
    );
    await system.skip(days(5));
    expect(await chat.said('assistant')).toEqual(['I will.']);
    expect(await followUpsOf(chat)).toMatchObject([{ fired_at: null }, { fired_at: null }]);
  });

  it('ends the run of a paused chat too', async () => {
    const chat = await promised(['P2D', 'Ask how it went']);
    await chat.update({ paused: true });
    await chat.rests();
    expect(await statusOf(chat)).toBe('RUNNING');

    const [pending] = await pendingOf(chat);
    await cancel(chat, pending?.id ?? 0);

    await ended(chat);
  });
});

describe('a follow-up in an assignment', () => {
  const abilities = [{ abilityType: 'schedule_follow_up' }];
  const able: RevisionTask = { ...wait({ for: 'P30D' }), abilities, children: [end] };
  const promisedInWait = async (after: string) =>
    promisedIn(await beginOnWeb({ system, workspace }, able), [after, 'Ask how it went']);

  it('fires on time during a wait, which ends on time too', async () => {
    const chat = await promisedInWait('P10D');

    await system.skip(days(10) + minutes(1));
    await fired(chat, 1);
    await chat.handled();
    await chat.rests();
    expect((await chat.said('assistant')).at(-1)).toContain('Ask how it went');
    expect((await chat.assignment()).status).toBe('active');
    await system.skip(days(20));

    await chat.concluded('completed');
    await expectOnTime(chat);
    expectWaited(await chat.task('Wait'), days(30));
  });

  it('does not fire once it is cancelled, and the wait ends on time', async () => {
    const chat = await promisedInWait('P10D');
    const [pending] = await pendingOf(chat);
    const details = () => detailsOf('runAssignment', chat.assignmentUuid);
    expect(await details()).toContain(`(until ${pending?.dueAt})`);

    await cancel(chat, pending?.id ?? 0);
    const until = (await chat.task('Wait')).dueAt?.toISOString();
    await waitFor('the run waits for the task', async () => (await details()).includes(`(until ${until})`));
    await system.skip(days(20));
    await chat.rests();
    expect(await chat.said('system')).toEqual([]);
    await system.skip(days(11));

    await chat.concluded('completed');
    expect(await chat.said('system')).toEqual([]);
  });

  it('is cancelled when the assignment ends first', async () => {
    const chat = await promisedInWait('P40D');

    await system.skip(days(30) + minutes(1));
    await chat.concluded('completed');
    const said = await chat.said('assistant');
    await system.skip(days(20));

    expect(await followUpsOf(chat)).toMatchObject([{ fired_at: null, cancelled_at: expect.any(Date) }]);
    expect(await chat.said('system')).toEqual([]);
    expect(await chat.said('assistant')).toEqual(said);
  });
});
