import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { pokeSignal } from '../../../workflows/contracts/messages.js';
import type { RunType } from '../../../workflows/contracts/runs.js';
import { stoodStill } from '../../support/faults/faulty-release.js';
import { waitFor } from '../../support/lib/wait-for.js';
import {
  type ActivityName,
  lastUntilCancelled,
  type Script,
  type ScriptedRuns,
} from '../../support/temporal/scripted-runs.js';

/** Branches that the whole system takes seldom, or after hours: a run whose activities do what a script says. */
interface Branch {
  runType: RunType | 'reconcileRuns';
  script: Script;
  /** What comes from outside. */
  outside?(run: WorkflowHandle): Promise<void>;
}

const until = Date.now() + 3_600_000;
const waiting = () => ({ kind: 'wait', until, for: 'end' });
const nothing = () => undefined;

/** A fault for which a step is not tried again. */
function stepFails(): never {
  throw ApplicationFailure.nonRetryable('P0001', 'step_failed');
}

/** A fault that passes. */
function passes(): never {
  throw new Error('away');
}

const after = (before: unknown, afterwards: unknown) => (call: number) => (call === 1 ? before : afterwards);

async function eventsWith(run: WorkflowHandle, attributes: string): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => Object.hasOwn(event, attributes)).length;
}

async function cancelOnceBusy(run: WorkflowHandle): Promise<void> {
  await waitFor('it is at work', async () => {
    const types = ['activityTaskScheduledEventAttributes', 'timerStartedEventAttributes'];
    const counts = await Promise.all(types.map((type) => eventsWith(run, type)));
    return counts.some((count) => count > 0);
  });
  await run.cancel();
}

async function pokeAfterStandstill(run: WorkflowHandle): Promise<void> {
  await stoodStill(run);
  await run.signal(pokeSignal);
}

/** Cancel is not heeded, and the next poke finds the end. */
async function cancelThenPoke(run: WorkflowHandle): Promise<void> {
  await cancelOnceBusy(run);
  await waitFor(
    'it has heard of it',
    async () => (await eventsWith(run, 'workflowTaskCompletedEventAttributes')) > 1,
  );
  await run.signal(pokeSignal);
}

const callEnds = { kind: 'ended', status: 'completed' };
const sent = { kind: 'ended', outcome: 'sent' };

/** A run that stands, shows it, and goes on. */
const shown = (runType: RunType, activity: ActivityName, end: unknown): Branch => ({
  runType,
  script: {
    [activity]: (call: number) => (call === 1 ? passes() : call === 2 ? stepFails() : end),
    noteStandstill: nothing,
  },
  outside: pokeAfterStandstill,
});

const looked = { checked: 2, restarted: 1, concluded: 0, woken: 0, failed: 0 };
const lookedAtAll = { ...looked, finished: true };

export const branches: Record<string, Branch> = {
  'run-assignment-shown-standing': shown('runAssignment', 'advanceAssignment', {
    kind: 'concluded',
    status: 'completed',
    taskName: 'Hall',
  }),
  'answer-chat-shown-standing': shown('answerChat', 'advanceChat', { kind: 'idle' }),
  'deliver-messages-shown-standing': shown('deliverMessages', 'deliverNext', { kind: 'idle' }),
  'send-scheduled-message-shown-standing': shown('sendScheduledMessage', 'sendScheduledMessage', sent),
  'run-voice-call-shown-standing': shown('runVoiceCall', 'advanceCall', callEnds),
  'crawl-site-cancelled': {
    runType: 'crawlSite',
    script: { crawlPages: () => ({ kind: 'wait', until, read: 1, found: 2 }), endCrawl: nothing },
    outside: cancelOnceBusy,
  },
  'import-members-cancelled': {
    runType: 'importMembers',
    script: { importMemberRows: lastUntilCancelled, cancelImport: nothing },
    outside: cancelOnceBusy,
  },
  'import-members-sliced': {
    runType: 'importMembers',
    script: {
      importMemberRows: after(
        { kind: 'again', done: 5, total: 9 },
        { kind: 'ended', outcome: 'completed', done: 9, total: 9 },
      ),
    },
  },
  'send-scheduled-message-cancelled': {
    runType: 'sendScheduledMessage',
    script: { sendScheduledMessage: waiting, cancelScheduledMessage: nothing },
    outside: cancelOnceBusy,
  },
  'send-scheduled-message-stood-still': {
    runType: 'sendScheduledMessage',
    script: {
      sendScheduledMessage: (call) => (call === 1 ? passes() : call === 2 ? stepFails() : sent),
      noteStandstill: nothing,
    },
    outside: pokeAfterStandstill,
  },
  'send-scheduled-message-in-an-outage': {
    runType: 'sendScheduledMessage',
    script: { sendScheduledMessage: (call) => (call < 3 ? passes() : sent) },
  },
  'answer-chat-in-an-outage': {
    runType: 'answerChat',
    script: { advanceChat: (call) => (call < 3 ? passes() : { kind: 'idle' }) },
  },
  'run-voice-call-stood-still': {
    runType: 'runVoiceCall',
    script: { advanceCall: (call) => (call === 1 ? stepFails() : callEnds), noteStandstill: nothing },
    outside: pokeAfterStandstill,
  },
  'run-voice-call-cancelled-in-vain': {
    runType: 'runVoiceCall',
    script: { advanceCall: after(waiting(), callEnds) },
    outside: cancelThenPoke,
  },
  'summarize-chat-cancelled': {
    runType: 'summarizeChat',
    script: { summarizeChat: lastUntilCancelled },
    outside: cancelOnceBusy,
  },
  'summarize-chat-failed': {
    runType: 'summarizeChat',
    script: {
      summarizeChat: () => {
        throw ApplicationFailure.nonRetryable('refused');
      },
    },
  },
  'wake-assignments-sliced': {
    runType: 'wakeAssignments',
    script: { wakeAssignments: after({ woken: 100, finished: false }, { woken: 3, finished: true }) },
  },
  'reconcile-runs-sliced': {
    runType: 'reconcileRuns',
    script: { reconcileRuns: after({ ...looked, finished: false, next: { walked: true } }, lookedAtAll) },
  },
  'wake-assignments-of-a-held-workspace': {
    runType: 'wakeAssignments',
    script: {
      wakeAssignments: (call) =>
        call === 1 ? { woken: 0, finished: true, until: Date.now() + 1_000 } : { woken: 3, finished: true },
    },
  },
  'apply-label-change-sliced': {
    runType: 'applyLabelChange',
    script: {
      applyLabelChange: after(
        { visited: 900, woken: 100, finished: false },
        { visited: 30, woken: 3, finished: true },
      ),
    },
  },
  'export-person-data-retried': {
    runType: 'exportPersonData',
    script: {
      exportPersonData: (call) => (call === 1 ? passes() : { outcome: 'ready', rows: 1, files: 0, bytes: 9 }),
    },
  },
};

/** How many steps come before the end: more than a history has on a server that finds it long after twenty events. */
const steps = 12;
const until12 = (again: unknown, end: unknown) => (call: number) => (call < steps ? again : end);

/** A poke that comes while an activity is under way. */
const poked = (result: unknown) => async (call: number, run: WorkflowHandle) => {
  if (call < steps) await run.signal(pokeSignal);
  return result;
};

const deliveryDone = { act: 'send', messageId: 1, state: 'sent' };

/** Played on a server that thinks histories long which are not. */
export const longBranches: Record<string, Branch> = {
  'run-voice-call-continued-as-new': {
    runType: 'runVoiceCall',
    script: { advanceCall: until12({ kind: 'again' }, callEnds) },
  },
  'publish-page-continued-as-new': {
    runType: 'publishPage',
    script: { publishDuePage: poked({ kind: 'ended', outcome: 'published' }) },
  },
  'answer-chat-continued-as-new': {
    runType: 'answerChat',
    script: {
      advanceChat: until12({ kind: 'turn', chatVersion: 1 }, { kind: 'idle' }),
      takeTurnRound: () => ({ kind: 'replied' }),
    },
  },
  'deliver-messages-continued-as-new': {
    runType: 'deliverMessages',
    script: { deliverNext: until12({ kind: 'again', done: deliveryDone }, { kind: 'idle' }) },
  },
  'erase-person-data-continued-as-new': {
    runType: 'erasePersonData',
    script: { erasePersonData: until12({ kind: 'again', erased: 5 }, { kind: 'finished', erased: 0 }) },
  },
  'index-file-continued-as-new': {
    runType: 'indexFile',
    script: { indexFile: poked({ outcome: 'done', pages: 1 }) },
  },
  'reconcile-runs-continued-as-new': {
    runType: 'reconcileRuns',
    script: {
      reconcileRuns: until12({ ...looked, finished: false, next: { walked: false } }, lookedAtAll),
    },
  },
  'wake-assignments-continued-as-new': {
    runType: 'wakeAssignments',
    script: { wakeAssignments: until12({ woken: 100, finished: false }, { woken: 1, finished: true }) },
  },
  'apply-label-change-continued-as-new': {
    runType: 'applyLabelChange',
    script: {
      applyLabelChange: until12(
        { visited: 900, woken: 100, finished: false },
        { visited: 1, woken: 1, finished: true },
      ),
    },
  },
  'crawl-site-continued-as-new': {
    runType: 'crawlSite',
    script: {
      crawlPages: until12(
        { kind: 'again', read: 1, found: 2 },
        { kind: 'ended', outcome: 'completed', read: 2 },
      ),
    },
  },
  'send-scheduled-message-continued-as-new': {
    runType: 'sendScheduledMessage',
    script: {
      sendScheduledMessage: (call) => (call === steps ? sent : call % 2 === 1 ? passes() : waiting()),
    },
    async outside(run) {
      await waitFor('it has ended', async () => {
        await run.signal(pokeSignal).catch(() => undefined);
        await delay(200);
        return (await run.describe()).status.name === 'COMPLETED';
      });
    },
  },
};

/** Plays a branch to the end of its run. @returns the workflow id to record */
export async function playBranch(
  scripted: ScriptedRuns,
  { runType, script, outside }: Branch,
): Promise<string> {
  const run =
    runType === 'reconcileRuns'
      ? await scripted.startPass(runType, script)
      : await scripted.start(runType, randomUUID(), script);
  await outside?.(run);
  const { workflowId } = run;
  await scripted.client.workflow
    .getHandle(workflowId)
    .result()
    .catch(() => undefined);
  return workflowId;
}
