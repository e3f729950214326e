import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { endDetails, stepSummary, type Wait, waitDetails, waitSummary } from './call-words.js';
import { stepFailed } from './contracts/failures.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, priorities, taskQueues } from './contracts/runs.js';
import type { CallOutcome } from './contracts/steps.js';
import { showStands } from './show-stands.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/** Pause before a step that fails permanently is tried again without a poke. */
const standsStillMs = 5 * 60_000;

/**
 * Keeps the deadlines of a phone call: dials it, asks the carrier where its reports do not come, ends it where nobody else
 * does, and takes in the bill. It holds nothing; each step asks the database, and acts at the carrier at most once.
 */
export async function runVoiceCall(input: RunInputs['runVoiceCall']): Promise<CallOutcome> {
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, callId } = input;
  const { advanceCall } = proxyActivities<Pick<Activities, 'advanceCall'>>({
    taskQueue: taskQueues.urgent,
    startToCloseTimeout: '45s',
    retry: { initialInterval: '500ms', maximumInterval: '15s', nonRetryableErrorTypes: [stepFailed] },
    // Runs that began before runs had a priority have none to hand on.
    priority: { priorityKey: priorities.atOnce, fairnessKey: workspaceUuid },
  });
  /** What the last step has found, which names the next. */
  let found: Wait['for'] | 'begin' | undefined =
    workflowInfo().continuedFromExecutionRunId === undefined ? 'begin' : undefined;
  for (;;) {
    let isLong = false;
    try {
      woken = false;
      const summary = stepSummary(input, found);
      const step = await advanceCall.executeWithOptions({ summary }, [{ workspaceId, callId }]);
      found = step.kind === 'wait' ? step.for : undefined;
      showStands(found === 'carrier_unusable' ? found : undefined);
      if (step.kind === 'wait') {
        setCurrentDetails(waitDetails(input, step));
        isLong = isLongForWaiting();
        if (!isLong) {
          await condition(() => woken, delayUntil(step.until), { summary: waitSummary(step) });
        }
      } else if (step.kind === 'ended' && !woken) {
        const { kind: _, ...ended } = step;
        setCurrentDetails(endDetails(input, ended));
        return ended;
      }
    } catch (error) {
      await standStill(input, error, () => woken, standsStillMs);
    }
    if (isLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runVoiceCall>(input);
  }
}
