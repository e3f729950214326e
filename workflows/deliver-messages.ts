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
import { type RunInputs, taskQueues } from './contracts/runs.js';
import type { DeliveryStep } from './contracts/steps.js';
import { DeliveryTally, type DeliveryTotals } from './delivery-tally.js';
import { showStands } from './show-stands.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

/** Pause before a failed step is tried again without a poke; it doubles each time. Messages may expire meanwhile. */
const standsStillMs = { first: 5 * 60_000, longest: 3_600_000 };

/**
 * Delivers a chat's outbound messages in order: the next one is sent once the carrier has accepted the one before. It
 * is poked when a receipt requires an action, or is overdue. All messages wait if a step fails permanently.
 */
export async function deliverMessages(input: RunInputs['deliverMessages']): Promise<DeliveryTotals> {
  const tally = new DeliveryTally();
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, chatId } = input;
  const { deliverNext } = proxyActivities<Pick<Activities, 'deliverNext'>>({
    taskQueue: taskQueues.deliveries,
    // An email may take minutes. A step without heartbeats ends after 45 s, as in runs that began before.
    startToCloseTimeout: '6m',
    heartbeatTimeout: '45s',
    retry: { initialInterval: '1s', maximumInterval: '1m', nonRetryableErrorTypes: [stepFailed] },
    priority: { fairnessKey: input.workspaceUuid },
    summary: 'Deliver the next message',
  });
  let stoodStill = 0;
  const takeStep = async (): Promise<DeliveryStep> => {
    try {
      const step = await deliverNext({ workspaceId, chatId });
      stoodStill = 0;
      showStands(step.kind === 'wait' && step.code === 'carrier_unusable' ? step.code : undefined);
      return step;
    } catch (error) {
      const pause = Math.min(standsStillMs.first * 2 ** stoodStill, standsStillMs.longest);
      await standStill(input, error, () => woken, pause);
      stoodStill += 1;
      return { kind: 'again' };
    }
  };

  for (;;) {
    woken = false;
    setCurrentDetails(`Sends the next message. ${tally.inWords()}`);
    const step = await takeStep();
    if (step.done !== undefined) tally.add(step.done);
    if (step.kind === 'wait') {
      if (isLongForWaiting()) await continueAsNew<typeof deliverMessages>(input);
      setCurrentDetails(`${waitingFor(step)} ${tally.inWords()}`);
      await condition(() => woken, delayUntil(step.until), { summary: summaryOf(step) });
    } else if (step.kind === 'idle' && !woken) {
      const rest = step.isHeld
        ? 'The workspace is held: the end of the hold begins the run anew.'
        : nothingLeft;
      setCurrentDetails(`${rest} ${tally.inWords()}`);
      return tally.totals();
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverMessages>(input);
  }
}

const nothingLeft = 'Nothing is left to send.';

type Wait = Extract<DeliveryStep, { kind: 'wait' }>;

function waitingFor({ until, code }: Wait): string {
  const time = new Date(until).toISOString();
  switch (code) {
    case 'carrier_unusable':
      return `The account at the carrier or mail server cannot be used; tries again at ${time}.`;
    case 'quiet_hours':
      return `Waits for the end of the quiet hours, until ${time}.`;
    case 'pace':
      return `Waits for its slot in the pace of the phone number, until ${time}.`;
    default:
      return `Waits for the carrier or mail server, at the latest until ${time}.`;
  }
}

function summaryOf({ code }: Wait): string {
  if (code === 'quiet_hours') return 'Wait for the end of the quiet hours';
  return code === 'pace'
    ? 'Wait for a slot in the pace of the phone number'
    : 'Wait for the carrier or mail server';
}
