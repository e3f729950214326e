import { workflowIdOf } from '../../../../workflows/contracts/runs.js';
import type { Evidence, Invariants, RunFact } from '../evidence.js';
import { groupBy } from '../group-by.js';

const good = new Set(['RUNNING', 'COMPLETED', 'CANCELLED', 'CONTINUED_AS_NEW']);

/** Something came while the run was about to end: the server asks the worker to look again. */
const ordinary = /UNHANDLED_COMMAND|UNHANDLED_UPDATE/;

/** Workflow ids that have to be running, and why. */
function wantedRuns({ assignments, calls, chats, deliveries }: Evidence): Map<string, string> {
  const wanted = new Map<string, string>();
  const uuidOf = new Map(chats.map(({ id, uuid }) => [id, uuid]));
  for (const { id, uuid, status } of assignments) {
    if (status === 'active') wanted.set(workflowIdOf('runAssignment', uuid), `assignment ${id} is active`);
  }
  for (const { id, uuid, isSettled } of calls) {
    if (!isSettled) wanted.set(workflowIdOf('runVoiceCall', uuid), `call ${id} is not billed`);
  }
  for (const { id, chatId, state } of deliveries) {
    if (state !== 'queued' && state !== 'claimed') continue;
    wanted.set(workflowIdOf('deliverMessages', uuidOf.get(chatId) ?? ''), `delivery ${id} is ${state}`);
  }
  return wanted;
}

const isRunning = ({ status }: RunFact): boolean => status === 'RUNNING';
const isAboutARow = ({ type }: RunFact): boolean =>
  ![
    'reconcileRuns',
    'askForReceipts',
    'forgetOldKeys',
    'forgetOldData',
    'forgetOldEvents',
    'collectObjects',
    'receiveMissedMessages',
    'storeTextPrices',
  ].includes(type) && !type.startsWith('temporal-');

export const runInvariants: Invariants = {
  /** Once everything is mended, everything comes to rest. */
  'comes-to-rest': ({ unrest }) => (unrest === undefined ? [] : [unrest]),
  /** No process ends because something around it does. */
  'processes-survive': ({ deaths }) =>
    deaths.map((name) => `a process of ${name} ended by itself: its log says why`),
  /** Everything was relayed, nothing is parked. */
  'outbox-is-empty': ({ outbox }) =>
    outbox.map(
      ({ runType, subject, parked, errorCode }) =>
        `${runType} ${subject} is ${parked ? 'parked' : 'waiting'} (${errorCode ?? 'no error'})`,
    ),
  /** Every run is going on or ended well. */
  'no-run-failed': ({ runs }) =>
    runs
      .filter(({ status }) => !good.has(status))
      .map(({ workflowId, runId, status }) => `run ${workflowId} (${runId}) is ${status}`),
  /** No history has a failed workflow task: the runs' code is deterministic. */
  'no-workflow-task-failed': ({ runs }) =>
    runs.flatMap(({ workflowId, runId, failedTasks }) =>
      failedTasks
        .filter((cause) => !ordinary.test(cause))
        .map((cause) => `a workflow task of ${workflowId} (${runId}) failed: ${cause}`),
    ),
  /** What the database says is going on has one run, and nothing else has. */
  'runs-agree-with-rows'(evidence) {
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
        (run) => run.status === (status === 'cancelled' ? 'CANCELLED' : 'COMPLETED'),
      );
      return ended.length === 1
        ? []
        : [`assignment ${id} is ${status}, and ${ended.length} runs of it ended so`];
    });
    return [...missing, ...needless, ...concluded];
  },
};
