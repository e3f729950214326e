import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunInspector } from '../../activities/kernel/dependencies.js';
import { type Reconciliation, reconcilerActivities } from '../../activities/kernel/reconciler.js';
import { patchAssignment } from '../../db/assignments/assignments.js';
import { openModelCall } from '../../domain/agent/model-calls.js';
import { stopForCredits } from '../../domain/chat-state/credit-budget.js';
import { readTokenUsage } from '../../domain/conversations/chats/read-token-usage.js';
import { scheduleMessage } from '../../domain/conversations/scheduled-messages/schedule-message.js';
import { systemClock } from '../../domain/lib/clock.js';
import { stageFreeChat } from '../support/chats/free-chat.js';
import { type StagedAssignment, stageAssignment } from '../support/chats/staged-assignment.js';
import { emptyOutbox } from '../support/db/empty-outbox.js';
import { useDatabase } from '../support/db/use-database.js';
import { hours, minutes } from '../support/lib/moved-clock.js';
import { openRuns } from '../support/temporal/open-runs.js';
import { conversationTasks } from '../support/workspace/definitions.js';
import { createWorkspace } from '../support/workspace/factories.js';

const staged: StagedAssignment[] = [];
const uuids: string[] = [];

const testDatabase = useDatabase();

beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) {
    const workspace = await createWorkspace(testDatabase.database);
    for (let each = 0; each < 2; each += 1) {
      const one = await stageAssignment(workspace, conversationTasks());
      staged.push(one);
      uuids.push((await one.assignment()).uuid);
    }
  }
  await emptyOutbox(testDatabase);
});

function reconcile(
  runs: Partial<RunInspector>,
  sliceMs?: number,
  from?: { walked: boolean },
): Promise<Reconciliation> {
  const { reconcileRuns } = reconcilerActivities(
    {
      db: testDatabase.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      runs: openRuns(runs),
    },
    sliceMs === undefined ? {} : { sliceMs },
  );
  return new MockActivityEnvironment().run(reconcileRuns, from);
}

const walks = () => testDatabase.database.identity.walks;

/** The open runs were listed long ago. */
const untilTheNextListing = () => walks().saveLookedUntil('open_runs', new Date(0));

async function workspaceUuidOf({ workspaceId }: { workspaceId: number }): Promise<string> {
  return (await testDatabase.database.identity.workspaces.findById(workspaceId))?.uuid ?? '';
}

/** Assignments of a workspace: two that ended before, one that has just ended, and an active one. */
async function stageEnded() {
  const workspace = await createWorkspace(testDatabase.database);
  const end = async ({ assignmentId }: StagedAssignment, msAgo: number) => {
    const ended = { status: 'cancelled', concludedAt: new Date(Date.now() - msAgo) } as const;
    return testDatabase.database.inWorkspace(workspace.workspaceId, (tx) =>
      patchAssignment(tx, assignmentId, ended),
    );
  };
  const begin = () => stageAssignment(workspace, conversationTasks());
  const left = [await end(await begin(), minutes(11)), await end(await begin(), hours(1_000))];
  const justEnded = await end(await begin(), minutes(9));
  const active = await begin();
  await emptyOutbox(testDatabase);
  onTestFinished(async () => {
    await end(active, 0);
  });
  return {
    workspaceUuid: await workspaceUuidOf(workspace),
    left: left.map(({ uuid }) => uuid),
    justEnded: justEnded.uuid,
    active: (await active.assignment()).uuid,
  };
}

describe('reconcileRuns', () => {
  it('books calls of models whose process died, and wakes chats that have credits again', async () => {
    const workspace = await createWorkspace(testDatabase.database);
    const chat = await stageFreeChat(workspace);
    const { workspaceId, chatId } = chat;
    await testDatabase.database.inWorkspace(workspaceId, async (tx) => {
      const call = {
        callId: randomUUID(),
        turnUuid: null,
        modelId: 'openai:chat:gpt-5',
        promptTokens: 1_000,
      };
      const long = new Date(systemClock.now().getTime() - hours(1));
      await openModelCall(tx, chat.context.models, { ...call, chat: await chat.chat() }, long);
      await stopForCredits(tx, { id: chatId }, new Date(systemClock.now().getTime() + hours(1)));
    });

    const { failed } = await reconcile({});

    expect(failed).toBe(0);
    expect(await chat.chat()).toMatchObject({ agentStoppedReason: null });
    expect(await readTokenUsage(chat.context, chatId)).toMatchObject({ promptTokens: 1_000, credits: 3.125 });
  });

  it('pokes missing runs of scheduled messages that are due or soon will be, and looks up no others', async () => {
    const workspace = await createWorkspace(testDatabase.database);
    const { workspaceId, chatId, colleague } = await stageFreeChat(workspace);
    const schedule = async (ms: number) => {
      const sendAt = new Date(Date.now() + ms).toISOString();
      return scheduleMessage(colleague, { chatId, message: 'Later', sendAt, toolCalls: [] });
    };
    const soon = await schedule(minutes(10));
    const late = await schedule(hours(1));
    await emptyOutbox(testDatabase);

    const asked: string[] = [];
    await reconcile({
      statusOf: async (workflowId) => {
        asked.push(workflowId);
        return workflowId.endsWith(soon.uuid) ? 'missing' : 'running';
      },
    });

    expect(asked).toContain(`scheduled-message-${soon.uuid}`);
    expect(asked).not.toContain(`scheduled-message-${late.uuid}`);
    const entries = await testDatabase.database.inWorkspace(workspaceId, async (tx) => tx('outbox'));
    expect(entries).toMatchObject([{ action: 'poke', subject: soon.uuid }]);
    await testDatabase.database.inWorkspace(workspaceId, async (tx) => tx('scheduled_messages').delete());
    await emptyOutbox(testDatabase);
  });

  it('continues with the other runs when a look-up fails, and counts the failure', async () => {
    const asked: string[] = [];

    const found = await reconcile({
      statusOf: async (workflowId) => {
        asked.push(workflowId);
        if (workflowId.endsWith(uuids[1] ?? '')) throw new Error('deadline exceeded');
        return 'running';
      },
    });

    expect(found).toEqual({ checked: 6, restarted: 0, concluded: 0, woken: 0, failed: 1, finished: true });
    expect(asked).toHaveLength(6);
  });

  it('looks up many runs concurrently', async () => {
    let underWay = 0;
    let most = 0;
    await reconcile({
      statusOf: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return 'running';
      },
    });

    expect(most).toBe(6);
  });

  it('continues where the last call stopped because its time was up', async () => {
    const asked: string[] = [];
    const runs: Partial<RunInspector> = {
      statusOf: async (workflowId) => {
        asked.push(workflowId);
        return 'running';
      },
    };

    let found = await reconcile(runs, 0, { walked: true });
    expect(found).toMatchObject({ checked: 2, finished: false, next: { walked: true } });
    while (!found.finished) found = await reconcile(runs, 0, { walked: true });

    expect([...new Set(asked)]).toHaveLength(6);
    expect(asked).toHaveLength(6);
  });

  it('concludes the assignment of a terminated run in its next call, wherever the walk is', async () => {
    const terminated = staged[5] as StagedAssignment;
    const uuid = uuids[5] ?? '';
    const workspaceUuid = (await testDatabase.database.identity.workspaces.findById(terminated.workspaceId))
      ?.uuid;

    const found = await reconcile(
      {
        statusOf: async (workflowId) => (workflowId.endsWith(uuid) ? 'closed' : 'running'),
        listClosedAssignments: async () => new Map([[workspaceUuid ?? '', [uuid]]]),
      },
      0,
    );

    expect(found).toMatchObject({ concluded: 1, finished: false });
    expect(await terminated.assignment()).toMatchObject({ status: 'failed', outcome: 'run_terminated' });
  });

  it('continues the walk when visibility does not answer', async () => {
    const found = await reconcile({
      listClosedAssignments: async () => {
        throw new Error('visibility is away');
      },
    });

    expect(found.failed).toBe(1);
    expect(found.checked).toBeGreaterThan(0);
  });
});

describe('runs that have outlived their assignments', () => {
  it('are poked, as those are whose rows are gone; no others, and none of another installation', async () => {
    await untilTheNextListing();
    const { workspaceUuid, left, justEnded, active } = await stageEnded();
    const gone = randomUUID();
    const poked: string[] = [];

    const found = await reconcile({
      listOpenAssignments: async () => ({
        items: new Map([
          [workspaceUuid, [...left, justEnded, active, gone]],
          [randomUUID(), [randomUUID()]],
        ]),
      }),
      poke: async (workflowId) => {
        poked.push(workflowId);
        // Visibility lags: it has closed.
        return !workflowId.endsWith(gone);
      },
    });

    expect(poked.sort()).toEqual([...left, gone].map((uuid) => `assignment-${uuid}`).sort());
    expect(found).toMatchObject({ woken: 2, failed: 0 });
  });

  it('are looked for once an hour', async () => {
    await untilTheNextListing();
    let listed = 0;
    const runs = {
      listOpenAssignments: async () => {
        listed += 1;
        return { items: new Map() };
      },
    };
    await reconcile(runs);
    await reconcile(runs);
    expect(listed).toBe(1);
    await walks().saveLookedUntil('open_runs', new Date(Date.now() - hours(1)));
    await reconcile(runs);
    expect(listed).toBe(2);
  });

  it('are looked for from the page on at which the time was up', async () => {
    await untilTheNextListing();
    const asked: (string | undefined)[] = [];
    const next = ['b', 'c'];
    const runs = {
      listOpenAssignments: async (after?: string) => {
        asked.push(after);
        const following = next.shift();
        return { items: new Map(), ...(following === undefined ? {} : { next: following }) };
      },
    };
    for (const expected of [[undefined], [undefined, 'b'], [undefined, 'b', 'c'], [undefined, 'b', 'c']]) {
      await reconcile(runs, 0);
      expect(asked).toEqual(expected);
    }
    while (!(await reconcile({}, 0)).finished);
  });

  it('are looked for again on a page that could not be read, and the walk goes on', async () => {
    await untilTheNextListing();
    const asked: (string | undefined)[] = [];
    let isAway = true;
    const runs = {
      listOpenAssignments: async (after?: string) => {
        asked.push(after);
        if (after === undefined) return { items: new Map(), next: 'b' };
        if (isAway) throw new Error('visibility is away');
        return { items: new Map() };
      },
    };
    expect(await reconcile(runs)).toMatchObject({ failed: 1, finished: true });
    isAway = false;
    expect(await reconcile(runs)).toMatchObject({ failed: 0 });
    expect(asked).toEqual([undefined, 'b', 'b']);
  });

  it('are poked although another cannot be, or the rows of another workspace cannot be read', async () => {
    await untilTheNextListing();
    const { workspaceUuid, left } = await stageEnded();
    const broken = await createWorkspace(testDatabase.database);
    const items = new Map([
      [await workspaceUuidOf(broken), ['no uuid']],
      [workspaceUuid, left],
    ]);
    const poked: string[] = [];

    const found = await reconcile({
      listOpenAssignments: async () => ({ items }),
      poke: async (workflowId) => {
        if (workflowId.endsWith(left[0] ?? '')) throw new Error('deadline exceeded');
        poked.push(workflowId);
        return true;
      },
    });

    expect(poked).toEqual([`assignment-${left[1]}`]);
    expect(found).toMatchObject({ woken: 1, failed: 2 });
  });
});
