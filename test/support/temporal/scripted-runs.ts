import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { WorkerVersion } from '../../../runtime/configuration.js';
import { runOptions } from '../../../runtime/temporal/run-options.js';
import { deploymentOf } from '../../../runtime/worker/workers.js';
import {
  type RunEntry,
  type RunInputs,
  type RunType,
  taskQueues,
} from '../../../workflows/contracts/runs.js';
import { activityInputs } from '../../workflows/recording/activity-inputs.js';
import { installRuntime } from './install-runtime.js';
import { createNamespace } from './own-namespace.js';

export type ActivityName = keyof typeof activityInputs;

/** What an activity does in a run, the first time and later ones. */
export type Part = (call: number, run: WorkflowHandle) => unknown;
export type Script = Partial<Record<ActivityName, Part>>;

/** Real runs on a real server, whose activities do what a script says. */
export interface ScriptedRuns {
  client: Client;
  /** The subject tells runs of a type apart. */
  start<Type extends RunType>(runType: Type, subject: string, script: Script): Promise<WorkflowHandle>;
  /** Starts what a schedule starts. */
  startPass(name: ActivityName, script: Script, input?: object): Promise<WorkflowHandle>;
  stop(): Promise<void>;
}

/** The part of an activity that lasts until it is cancelled, or its worker stops. */
export async function lastUntilCancelled(): Promise<never> {
  const { cancellationSignal, heartbeat } = Context.current();
  while (!cancellationSignal.aborted) {
    heartbeat();
    await delay(50);
  }
  throw new CancelledFailure('cancelled');
}

/** @param version absent: the workers have none */
export async function scriptedRuns(
  address: string,
  workflowBundle: string,
  version?: WorkerVersion,
): Promise<ScriptedRuns> {
  installRuntime();
  const namespace = await createNamespace(address);
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  const client = new Client({ connection, namespace });
  const scripts = new Map<string, Script>();
  const calls = new Map<string, number>();

  const perform = async (name: ActivityName): Promise<unknown> => {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const part = scripts.get(workflowId)?.[name];
    if (part === undefined) throw new Error(`${workflowId} has no part for ${name}`);
    const key = `${workflowId} ${name}`;
    const call = (calls.get(key) ?? 0) + 1;
    calls.set(key, call);
    return part(call, client.workflow.getHandle(workflowId));
  };
  const names = Object.keys(activityInputs) as ActivityName[];
  const common: Omit<WorkerOptions, 'taskQueue'> = {
    connection: native,
    namespace,
    activities: Object.fromEntries(names.map((name) => [name, () => perform(name)])),
    // A cancelled activity learns of it with a heartbeat.
    maxHeartbeatThrottleInterval: '100ms',
    shutdownForceTime: '1s',
    ...deploymentOf(version),
  };
  // Workers of a version cache no run: each task replays the history, which must not change the behaviour.
  const maxCachedWorkflows = version === undefined ? 100 : 0;
  const withRuns = { workflowBundle: { codePath: workflowBundle }, maxCachedWorkflows };
  const haveRuns: string[] = [taskQueues.runs, taskQueues.webhooks];
  const workers = await Promise.all(
    Object.values(taskQueues).map((taskQueue) =>
      Worker.create({ ...common, ...(haveRuns.includes(taskQueue) ? withRuns : {}), taskQueue }),
    ),
  );
  const running = workers.map((worker) => worker.run());

  return {
    client,
    async start(runType, subject, script) {
      const options = runOptions({ runType, subject, input: inputOf(runType) } as RunEntry);
      scripts.set(options.workflowId, script);
      return client.workflow.start(runType, options);
    },
    async startPass(name, script, ...args) {
      const workflowId = `pass-${randomUUID()}`;
      scripts.set(workflowId, script);
      return client.workflow.start(name, { workflowId, taskQueue: taskQueues.runs, args });
    },
    async stop() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await Promise.all([connection.close(), native.close()]);
    },
  };
}

const until = Date.now() + 3_600_000;
const waits = () => ({ kind: 'wait', until, for: 'end', taskName: 'Hall', state: 'waits' });
const status = () => ({ status: 'cancelled' });

/** Steps that find that something is awaited, and activities that last: a run of any type goes on. */
export const underWay: Script = {
  advanceAssignment: waits,
  advanceChat: waits,
  advanceCall: waits,
  publishDuePage: waits,
  sendScheduledMessage: waits,
  deliverNext: waits,
  erasePersonData: () => ({ kind: 'wait', until, for: 'look' }),
  crawlPages: () => ({ kind: 'wait', until, read: 1, found: 2 }),
  deliverWebhook: lastUntilCancelled,
  importMemberRows: lastUntilCancelled,
  exportPersonData: lastUntilCancelled,
  summarizeChat: lastUntilCancelled,
  sendLoginCode: lastUntilCancelled,
  sendRuleNotice: lastUntilCancelled,
  sendHandoffNotice: lastUntilCancelled,
  wakeAssignments: lastUntilCancelled,
  applyLabelChange: lastUntilCancelled,
  indexFile: lastUntilCancelled,
  fetchMedia: lastUntilCancelled,
  receiveEmail: lastUntilCancelled,
  cancelAssignment: status,
  cancelWebhookDelivery: status,
  endCrawl: () => undefined,
  cancelImport: () => undefined,
  cancelScheduledMessage: () => undefined,
};

/** One that has the fields of all types. */
function inputOf<Type extends RunType>(_: Type): RunInputs[Type] {
  const uuid = '00000000-0000-4000-8000-000000000001';
  const ids = {
    workspaceId: 1,
    chatId: 2,
    memberId: 3,
    assignmentId: 4,
    deliveryId: 5,
    ruleId: 6,
    noticeId: 7,
  };
  const more = { definitionId: 8, fileId: 9, versionId: 10, messageId: 11, inboxId: 12, inboundEmailId: 13 };
  const last = {
    erasureId: 14,
    scheduledMessageId: 15,
    pageId: 16,
    siteId: 17,
    exportId: 18,
    importId: 19,
    callId: 20,
    labelId: 21,
  };
  const names = { definitionName: 'Intake', channel: 'phone-sms', eventType: 'chat:created', reason: 'gone' };
  const others = { workspaceUuid: uuid, loginCodeUuid: uuid, requestUuid: uuid, updateLabels: false };
  return {
    ...ids,
    ...more,
    ...last,
    ...names,
    ...others,
    direction: 'outbound',
    kind: 'member',
  } as unknown as RunInputs[Type];
}
