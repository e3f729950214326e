import { setCurrentDetails } from '@temporalio/workflow';
import { activityOf } from './activity-of.js';
import { stepFailed } from './contracts/failures.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import type { DeliveryStep } from './contracts/steps.js';
import { DeliveryTally, type DeliveryTotals } from './delivery-tally.js';
import { showStands } from './show-stands.js';
import { type Next, orStandStill, untilDone } from './until-done.js';

/** Pause before a failed step is tried again without a poke; it doubles each time. Messages may expire meanwhile. */
const standsStillMs = { first: 5 * 60_000, max: 3_600_000 };

/**
 * Delivers a chat's outbound messages in order: the next one is sent once the carrier has accepted the one before. It
 * is poked when a receipt requires an action, or is overdue. All messages wait if a step fails permanently.
 */
export async function deliverMessages(input: RunInputs['deliverMessages']): Promise<DeliveryTotals> {
  const tally = new DeliveryTally();
  const { workspaceId, chatId } = input;
  const deliverNext = activityOf('deliverNext', input, {
    taskQueue: taskQueues.deliveries,
    // An email may take minutes. A step without heartbeats ends after 45 s, as in runs that began before.
    startToCloseTimeout: '6m',
    heartbeatTimeout: '45s',
    retry: { initialInterval: '1s', maximumInterval: '1m', nonRetryableErrorTypes: [stepFailed] },
    summary: 'Deliver the next message',
  });
  /** Steps since the last one that has not failed. */
  let tried = 0;

  return await untilDone(input, (pokes) => {
    const pauseMs = Math.min(standsStillMs.first * 2 ** tried, standsStillMs.max);
    tried += 1;
    setCurrentDetails(`Sends the next message. ${tally.inWords()}`);
    const deliver = async (): Promise<Next<DeliveryTotals>> => {
      const step = await deliverNext({ workspaceId, chatId });
      tried = 0;
      showStands(step.kind === 'wait' && step.code === 'carrier_unusable' ? step.code : undefined);
      if (step.done !== undefined) tally.add(step.done);
      if (step.kind === 'again') return { kind: 'again' };
      if (step.kind === 'wait') {
        setCurrentDetails(`${waitingFor(step)} ${tally.inWords()}`);
        return { kind: 'wait', until: step.until, summary: summaryOf(step) };
      }
      const rest = step.isHeld
        ? 'The workspace is held: the end of the hold begins the run anew.'
        : 'Nothing is left to send.';
      setCurrentDetails(`${rest} ${tally.inWords()}`);
      return { kind: 'idle', result: tally.totals() };
    };
    return orStandStill(input, pokes, deliver, pauseMs);
  });
}

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
