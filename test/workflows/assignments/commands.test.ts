import { beforeAll, describe, expect, it } from 'vitest';
import { beginOnWeb, type WebAssignment } from '../../support/chats/web-chat.js';
import { waitFor } from '../../support/lib/wait-for.js';
import type { SmsAssignment } from '../../support/system/sms-workspace.js';
import { startSystem } from '../../support/system/system.js';
import { useSmsWorkspace } from '../../support/system/use-sms-workspace.js';
import { doors } from '../small-trees.js';

const { system, workspace } = useSmsWorkspace(startSystem);
let definitionId: number;
beforeAll(async () => {
  definitionId = await workspace.publish(doors);
});

const runOf = (assignment: SmsAssignment) => system.run('runAssignment', assignment.assignmentUuid);

function cancel(assignment: SmsAssignment, reason?: string) {
  const path = `/assignments/${assignment.assignmentId}/cancel`;
  return workspace.asAdmin('POST', path, reason === undefined ? {} : { reason });
}

const canceled = (assignment: SmsAssignment) =>
  waitFor(
    'the run is canceled',
    async () => (await runOf(assignment).describe()).status.name === 'CANCELLED',
  );

/** An assignment that waits for the member. */
async function inHall(): Promise<SmsAssignment> {
  const assignment = await workspace.begin(definitionId);
  await assignment.heard('Welcome to the hall.');
  return assignment;
}

/** An assignment in a turn: the model has the request and holds its answer. */
async function inTurn(): Promise<SmsAssignment> {
  const texter = await workspace.addTexter();
  await system.model.script([{ hold: true, content: 'words of the agent' }], texter.row.name ?? '');
  const assignment = await workspace.begin(definitionId, texter);
  await system.model.held();
  return assignment;
}

describe('cancelling an assignment', () => {
  it('ends a running turn at once, and the agent sends nothing more', async () => {
    const assignment = await inTurn();

    const answer = await cancel(assignment, 'changed their mind');
    await system.model.release();

    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await assignment.assignment()).toMatchObject({
      status: 'cancelled',
      outcomeReason: 'changed their mind',
    });
    await canceled(assignment);
    expect(await assignment.said('assistant')).toEqual([]);
    expect(await assignment.carried()).toEqual([]);
    expect((await assignment.chat()).needsResponse).toBe(false);
  });

  it('returns before the workflow task that closes the run', async () => {
    const assignment = await inTurn();

    await cancel(assignment);
    await system.model.release();
    await canceled(assignment);

    const events = (await runOf(assignment).fetchHistory()).events ?? [];
    const taskOf = (attributes: 'workflowExecutionCanceledEventAttributes' | 'timerStartedEventAttributes') =>
      Number(events.flatMap((event) => event[attributes] ?? [])[0]?.workflowTaskCompletedEventId);
    expect(taskOf('workflowExecutionCanceledEventAttributes')).toBeGreaterThan(
      taskOf('timerStartedEventAttributes'),
    );
  });

  it('changes nothing the second time, and returns 409 for a completed one', async () => {
    const cancelled = await workspace.begin(definitionId);
    await cancel(cancelled, 'first');
    const completed = await inHall();
    await completed.write('the exit');
    await completed.concluded('completed');

    const again = await cancel(cancelled, 'second');
    const tooLate = await cancel(completed);

    expect(again).toMatchObject({ status: 200, body: { status: 'cancelled', outcomeReason: 'first' } });
    expect(tooLate).toMatchObject({ status: 409, body: { code: 'assignment_not_active' } });
  });

  it('works the same by Cancel in the Temporal UI during a turn', async () => {
    const assignment = await inTurn();

    await runOf(assignment).cancel();
    await assignment.concluded('cancelled');
    await system.model.release();

    await canceled(assignment);
    expect(await assignment.said('assistant')).toEqual([]);
  });

  it('works the same by Cancel in the Temporal UI while the run waits', async () => {
    const assignment = await inHall();

    await runOf(assignment).cancel();

    await assignment.concluded('cancelled');
    await canceled(assignment);
  });

  it('leaves later messages of the member to the run of the chat', async () => {
    const assignment = await inHall();
    await cancel(assignment);

    await assignment.write('are you still there?');

    await assignment.heard('You wrote: are you still there?');
  });
});

describe('superfluous pokes', () => {
  it('change nothing when they are repeated, late or unneeded', async () => {
    const assignment = await inHall();
    const run = runOf(assignment);

    await Promise.all(Array.from({ length: 10 }, () => run.signal('poke')));
    await assignment.write('the exit');
    await assignment.concluded('completed');
    await run.result();
    await workspace.poke('runAssignment', assignment.assignmentUuid);
    await workspace.poke('answerChat', assignment.chatUuid);

    await waitFor(
      'the relay has brought all',
      async () => (await workspace.select('select id from outbox')).length === 0,
    );
    await system.run('answerChat', assignment.chatUuid).result();
    expect(await assignment.said('assistant')).toEqual(['Welcome to the hall.']);
    expect((await run.describe()).status.name).toBe('COMPLETED');
  });
});

/** The number of commands in total: each walk is taken ten times. The project’s full trial has 2,000. */
const commands = Number(process.env.COMMANDS_AT_ONCE ?? 140);
const walksAtOnce = 8;

async function ask(command: string, method: string, path: string, body?: object) {
  const answer = await workspace.asAdmin(method, path, body);
  return { command, status: answer.status, code: answer.body.code as string | undefined };
}

type Answer = Awaited<ReturnType<typeof ask>>;

function commandsOf({ assignmentId, task }: WebAssignment) {
  const path = `/assignments/${assignmentId}`;
  return {
    select: async (name: string) => ask('select', 'PUT', `${path}/tasks/${(await task(name)).id}/select`),
    cancel: () => ask('cancel', 'POST', `${path}/cancel`, { reason: 'Only trying.' }),
    complete: () => ask('complete', 'PUT', path, { status: 'completed' }),
  };
}

type Commands = ReturnType<typeof commandsOf>;

/** Each walk runs concurrently with the agent’s first turn, which begins with the assignment. */
const walks: Record<string, (given: Commands) => Promise<Answer[]>> = {
  'cancelled at once': async ({ cancel }) => [await cancel()],
  'cancelled twice at once': ({ cancel }) => Promise.all([cancel(), cancel()]),
  'selected, then cancelled': async ({ select, cancel }) => [await select('Open'), await cancel()],
  'selected and cancelled together': ({ select, cancel }) => Promise.all([select('Open'), cancel()]),
  'selected and completed together': ({ select, complete }) =>
    Promise.all([select('Open'), complete(), select('Hall')]),
  'led to its end while it is selected and cancelled': ({ select, cancel }) =>
    Promise.all([select('Exit'), select('Open'), cancel()]),
  'selected again and again, then cancelled': async ({ select, cancel }) => [
    ...(await Promise.all([select('Open'), select('Hall'), select('Open')])),
    await cancel(),
  ],
};

function isTrue({ status, code }: Answer): boolean {
  return status === 200 || (status === 409 && code === 'assignment_not_active');
}

describe('commands during a turn', () => {
  it(`are carried out or rejected as not active, and never reported as unreachable (${commands} of them)`, async () => {
    const kinds = Object.entries(walks);
    const untrue: (Answer & { kind: string })[] = [];
    let given = 0;
    let begun = 0;
    const walk = async () => {
      while (given < commands) {
        const [kind, take] = kinds[begun++ % kinds.length] as (typeof kinds)[number];
        const assignment = await beginOnWeb({ system, workspace }, definitionId);
        const answers = await take(commandsOf(assignment));
        given += answers.length;
        for (const answer of answers) if (!isTrue(answer)) untrue.push({ kind, ...answer });
        expect((await assignment.assignment()).status, kind).not.toBe('active');
      }
    };
    await Promise.all(Array.from({ length: walksAtOnce }, walk));

    expect(untrue).toEqual([]);
  }, 600_000);
});

describe('a waiting run with many events', () => {
  it('continues as new after some hundreds of events and keeps its state', { timeout: 120_000 }, async () => {
    const assignment = await inHall();
    const run = runOf(assignment);
    const first = await run.describe();
    let max = 0;

    for (let now = first; now.runId === first.runId && max < 1_000; now = await run.describe()) {
      max = now.historyLength;
      await Promise.all(Array.from({ length: 5 }, () => run.signal('poke')));
      await waitFor('the pokes were seen to', async () => {
        const { runId, historyLength } = await run.describe();
        return runId !== first.runId || historyLength >= max + 8;
      });
    }

    expect((await run.describe()).runId).not.toBe(first.runId);
    expect(max).toBeGreaterThan(250);
    expect(max).toBeLessThan(330);
    await assignment.write('the exit');
    await assignment.concluded('completed');
  });
});
