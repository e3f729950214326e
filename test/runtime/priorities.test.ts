import { randomUUID } from 'node:crypto';
import { temporal as temporalProto } from '@temporalio/proto';
import { expect, it } from 'vitest';
import { createTemporalClient } from '../../runtime/temporal/connect.js';
import { runOptions } from '../../runtime/temporal/run-options.js';
import { waitFor } from '../support/lib/wait-for.js';
import { createDevEngine } from '../support/temporal/engine.js';

const workspace = { workspaceId: 1, workspaceUuid: randomUUID() };
const chat = { ...workspace, chatId: 1, memberId: 1 };

it('Temporal hands out the tasks of calls and codes first, then answers, then what was begun for many', async () => {
  const { temporal } = await createDevEngine();
  const client = createTemporalClient(temporal);
  const taskQueue = `priorities-${randomUUID()}`;
  const begin = async (run: Parameters<typeof runOptions>[0]) => {
    await client.workflow.start(run.runType, { ...runOptions(run), taskQueue });
  };
  // Nobody polls: all of them wait.
  for (let count = 0; count < 10; count += 1) {
    await begin({
      runType: 'erasePersonData',
      subject: randomUUID(),
      input: { ...workspace, erasureId: 1, memberId: 1 },
    });
  }
  for (let count = 0; count < 10; count += 1) {
    await begin({ runType: 'answerChat', subject: randomUUID(), input: { ...chat, channel: 'web-chat' } });
  }
  await begin({
    runType: 'runVoiceCall',
    subject: randomUUID(),
    input: { ...chat, callId: 1, direction: 'outbound' },
  });
  await begin({
    runType: 'sendLoginCode',
    subject: randomUUID(),
    input: { loginCodeUuid: randomUUID(), channel: 'email' },
  });

  // A run that has begun reaches the queue a moment later.
  await waitFor('all wait in the queue', async () => {
    const { stats } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: temporalProto.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      reportStats: true,
    });
    return Number(stats?.approximateBacklogCount) === 22;
  });

  const order: string[] = [];
  while (order.length < 22) {
    const { workflowType, workflowExecution } = await client.withDeadline(Date.now() + 60_000, () =>
      client.workflowService.pollWorkflowTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: taskQueue },
        identity: 'test',
      }),
    );
    if (workflowExecution?.workflowId) order.push(String(workflowType?.name));
  }
  await client.connection.close();

  expect(order.slice(0, 2).sort()).toEqual(['runVoiceCall', 'sendLoginCode']);
  expect(order.slice(2, 12)).toEqual(Array(10).fill('answerChat'));
  expect(order.slice(12)).toEqual(Array(10).fill('erasePersonData'));
});
