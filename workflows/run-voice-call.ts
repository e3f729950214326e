import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { stepFailed } from './contracts/failures.js';
import { pokeSignal } from './contracts/messages.js';
import { type CallRunInput, priorities, taskQueues } from './contracts/runs.js';
import type { CallStep } from './contracts/steps.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

type Ended = Omit<Extract<CallStep, { kind: 'ended' }>, 'kind'>;
type Wait = Extract<CallStep, { kind: 'wait' }>;

/** Pause before a step that fails permanently is tried again without a poke. */
const standsStillMs = 5 * 60_000;

/**
 * Keeps the deadlines of a phone call: dials it, asks the carrier where its reports do not come, ends it where nobody else
 * does, and takes in the bill. It holds nothing; each step asks the database, and acts at the carrier at most once.
 */
export async function runVoiceCall(input: CallRunInput): Promise<Ended> {
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
    summary: 'Take the next step of the call',
  });
  for (;;) {
    let isLong = false;
    try {
      woken = false;
      const step = await advanceCall({ workspaceId, callId });
      if (step.kind === 'wait') {
        setCurrentDetails(detailsOf(input, step));
        isLong = isLongForWaiting();
        if (!isLong) {
          await condition(() => woken, delayUntil(step.until), { summary: summaries[step.for] });
        }
      } else if (step.kind === 'ended' && !woken) {
        const { kind: _, ...ended } = step;
        setCurrentDetails(`${titleOf(input)}: ended, ${inWords(ended)}.`);
        return ended;
      }
    } catch (error) {
      await standStill(input, error, () => woken, standsStillMs);
    }
    if (isLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runVoiceCall>(input);
  }
}

const summaries: Record<Wait['for'], string> = {
  answer: 'Wait for an answer, or for the end',
  end: 'Wait for the end of the call',
  outcome: 'Wait before the call is looked for at the carrier',
  carrier: 'Wait for the carrier',
  carrier_unusable: 'Wait until the account at the carrier can be used',
  release: 'Wait for the end that the carrier was told',
  bill: 'Wait for the bill',
};

const states: Record<Wait['for'], string> = {
  answer: 'was dialled: it rings or is up, and is asked about at the carrier',
  end: 'goes on, and is looked at again',
  outcome: 'may be dialled: it is looked for at the carrier',
  carrier: 'waits for the carrier, which takes no requests now, and is tried again',
  carrier_unusable: 'waits, as the account at the carrier cannot be used, and is tried again',
  release: 'is over for us, and is ended at the carrier',
  bill: 'has ended; what it cost is asked',
};

function detailsOf(input: CallRunInput, step: Wait): string {
  return `${titleOf(input)}: ${states[step.for]} at ${new Date(step.until).toISOString()}.`;
}

function titleOf({ callId, direction, memberId, chatId }: CallRunInput): string {
  return `Call ${callId} (${direction}) with member ${memberId} in chat ${chatId}`;
}

function inWords({ status, reason, failure }: Ended): string {
  return [status, reason, failure].flatMap((code) => (code === undefined ? [] : `\`${code}\``)).join(', ');
}
