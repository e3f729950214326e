import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { pokeSignal } from './contracts/messages.js';
import { type RunInputs, taskQueues } from './contracts/runs.js';
import type { ScheduledMessageStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { orCancel } from './or-cancel.js';
import { showStands } from './show-stands.js';
import { standStill } from './stand-still.js';
import { delayUntil, isLongForWaiting } from './waiting.js';

type Ended = Omit<Extract<ScheduledMessageStep, { kind: 'ended' }>, 'kind'>;

/** Pause before a step that fails permanently is tried again without a poke. */
const standsStillMs = 3_600_000;

/** Sends a colleague's message at its time. Each step asks the database when that is, so a stale timer does no harm. */
export async function sendScheduledMessage(input: RunInputs['sendScheduledMessage']): Promise<Ended> {
  const steps = new LocalStepQueue();
  let woken = true;
  setHandler(pokeSignal, () => {
    woken = true;
  });
  const { workspaceId, workspaceUuid, scheduledMessageId } = input;
  const what = { workspaceId, scheduledMessageId };
  const { cancelScheduledMessage } = proxyActivities<Pick<Activities, 'cancelScheduledMessage'>>({
    taskQueue: taskQueues.runs,
    startToCloseTimeout: '10s',
    retry: { initialInterval: '500ms', maximumInterval: '1m' },
    priority: { fairnessKey: workspaceUuid },
    summary: 'Cancel the message, whose run was cancelled here',
  });
  const send = async () => {
    for (;;) {
      let isLong = false;
      try {
        woken = false;
        const step = await steps.execute('sendScheduledMessage', what, 'Send the message, if it is due');
        showStands(undefined);
        if (step.kind === 'wait') {
          setCurrentDetails(
            step.isHeld
              ? 'Waits for the end of the hold of the workspace.'
              : `Waits until ${new Date(step.until).toISOString()}.`,
          );
          isLong = isLongForWaiting();
          if (!isLong)
            await condition(() => woken, delayUntil(step.until), {
              summary: 'Wait until the message is due',
            });
        } else if (!woken) {
          const { kind: _, ...ended } = step;
          setCurrentDetails(`Ended: \`${ended.outcome}\`${ended.reason ? `, \`${ended.reason}\`` : ''}.`);
          return ended;
        }
      } catch (error) {
        await standStill(input, error, () => woken, standsStillMs);
      }
      if (isLong || workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof sendScheduledMessage>(input);
    }
  };
  return await orCancel(send, () => cancelScheduledMessage(what));
}
