import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { endDetails, stepSummary, type Wait, waitDetails, waitSummary } from './call-words.js';
import { stepFailed } from './contracts/failures.js';
import { priorities, type RunInputs, taskQueues } from './contracts/runs.js';
import type { CallOutcome } from './contracts/steps.js';
import { showStands } from './show-stands.js';
import { type Next, orStandStill, untilDone } from './until-done.js';

/** Pause before a step that fails permanently is tried again without a poke. */
const standsStillMs = 5 * 60_000;

/**
 * Keeps the deadlines of a phone call: dials it, asks the carrier where its reports do not come, ends it where nobody else
 * does, and takes in the bill. It holds nothing; each step asks the database, and acts at the carrier at most once.
 */
export async function runVoiceCall(input: RunInputs['runVoiceCall']): Promise<CallOutcome> {
  const { workspaceId, callId } = input;
  const advanceCall = activityOf('advanceCall', input, {
    taskQueue: taskQueues.urgent,
    startToCloseTimeout: '45s',
    retry: { initialInterval: '500ms', maximumInterval: '15s', nonRetryableErrorTypes: [stepFailed] },
    // Runs that began before runs had a priority have none to hand on.
    priority: { priorityKey: priorities.atOnce },
  });
  /** What the last step has found, which names the next. */
  let found: Wait['for'] | 'begin' | undefined =
    workflowInfo().continuedFromExecutionRunId === undefined ? 'begin' : undefined;
  const advance = async (): Promise<Next<CallOutcome>> => {
    const summary = stepSummary(input, found);
    const step = await advanceCall.executeWithOptions({ summary }, [{ workspaceId, callId }]);
    found = step.kind === 'wait' ? step.for : undefined;
    showStands(found === 'carrier_unusable' ? found : undefined);
    if (step.kind === 'again') return { kind: 'again' };
    if (step.kind === 'wait') {
      setCurrentDetails(waitDetails(input, step));
      return { kind: 'wait', until: step.until, summary: waitSummary(step) };
    }
    const { kind: _, ...ended } = step;
    return { kind: 'idle', result: ended };
  };
  const ended = await untilDone(input, (pokes) => orStandStill(input, pokes, advance, standsStillMs));
  setCurrentDetails(endDetails(input, ended));
  return ended;
}
