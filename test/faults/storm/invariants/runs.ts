import { workflowIdOf } from '../../../../workflows/contracts/runs.js';
import type { Evidence, RunFact } from '../evidence.js';
import { groupBy } from '../group-by.js';
import type { Invariant } from './invariant.js';

const quiet: Invariant = {
  name: 'comes-to-rest',
  says: 'once everything is mended, everything comes to rest',
  check: ({ unrest }) => (unrest === undefined ? [] : [unrest]),
};

const survived: Invariant = {
  name: 'processes-survive',
  says: 'no process ends because something around it does',
  check: ({ deaths }) => deaths.map((name) => `a process of ${name} ended by itself: its log says why`),
};

const outboxEmpty: Invariant = {
  name: 'outbox-is-empty',
  says: 'everything was relayed, nothing is parked',
  check: ({ outbox }) =>
    outbox.map(
      ({ runType, subject, parked, errorCode }) =>
        `${runType} ${subject} is ${parked ? 'parked' : 'waiting'} (${errorCode ?? 'no error'})`,
    ),
};

const good = new Set(['RUNNING', 'COMPLETED', 'CONTINUED_AS_NEW']);

const noneFailed: Invariant = {
  name: 'no-run-failed',
  says: 'every run is going on or ended well',
  check: ({ runs }) =>
    runs
      .filter(({ status }) => !good.has(status))
      .map(({ workflowId, runId, status }) => `run ${workflowId} (${runId}) is ${status}`),
};

/** Something came while the run was about to end: the server asks the worker to look again. */
const ordinary = /UNHANDLED_COMMAND|UNHANDLED_UPDATE/;

const noFailedTask: Invariant = {
  name: 'no-workflow-task-failed',
  says: "no history has a failed workflow task: the runs' code is deterministic",
  check: ({ runs }) =>
    runs.flatMap(({ workflowId, runId, failedTasks }) =>
      failedTasks
        .filter((cause) => !ordinary.test(cause))
        .map((cause) => `a workflow task of ${workflowId} (${runId}) failed: ${cause}`),
    ),
};

const runsAgree: Invariant = {
  name: 'runs-agree-with-rows',
  says: 'what the database says is going on has one run, and nothing else has',
  check(evidence) {
    const executions = groupBy(evidence.runs, ({ workflowId }) => workflowId);
    const wanted = wantedRuns(evidence);
    const missing = [...wanted].flatMap(([workflowId, why]) => {
      const running = (executions.get(workflowId) ?? []).filter(isRunning);
      return running.length === 1
        ? []
        : [`${running.length} runs of ${workflowId} are going on, though ${why}`];
    });
    const needless = evidence.runs
      .filter((run) => isRunning(run) && isAboutARow(run) && !wanted.has(run.workflowId))
      .map(({ workflowId }) => `run ${workflowId} is going on for nothing`);
    const concluded = evidence.assignments.flatMap(({ id, uuid, status }) => {
      if (status === 'active') return [];
      const ended = (executions.get(workflowIdOf('runAssignment', uuid)) ?? []).filter(
        (run) => run.status === 'COMPLETED',
      );
      return ended.length === 1
        ? []
        : [`assignment ${id} is ${status}, and ${ended.length} runs of it completed`];
    });
    return [...missing, ...needless, ...concluded];
  },
};

/** Workflow ids that have to be running, and why. */
function wantedRuns({ assignments, chats, deliveries }: Evidence): Map<string, string> {
  const wanted = new Map<string, string>();
  const uuidOf = new Map(chats.map(({ id, uuid }) => [id, uuid]));
  for (const { id, uuid, status } of assignments) {
    if (status === 'active') wanted.set(workflowIdOf('runAssignment', uuid), `assignment ${id} is active`);
  }
  for (const { id, chatId, state } of deliveries) {
    if (state !== 'queued' && state !== 'claimed') continue;
    wanted.set(workflowIdOf('deliverMessages', uuidOf.get(chatId) ?? ''), `delivery ${id} is ${state}`);
  }
  return wanted;
}

const isRunning = ({ status }: RunFact): boolean => status === 'RUNNING';
const isAboutARow = ({ type }: RunFact): boolean =>
  !['reconcileRuns', 'askForReceipts', 'forgetOldKeys', 'forgetOldEvents', 'receiveMissedMessages'].includes(
    type,
  ) && !type.startsWith('temporal-');

export const runInvariants = [quiet, survived, outboxEmpty, noneFailed, noFailedTask, runsAgree];
