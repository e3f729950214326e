import { setCurrentDetails } from '@temporalio/workflow';
import type { RunInputs } from './contracts/runs.js';
import type { ScheduledMessageStep } from './contracts/steps.js';
import { LocalStepQueue } from './local-step-queue.js';
import { cancellationOf, orCancel } from './or-cancel.js';
import { showStands } from './show-stands.js';
import { type Next, orStandStill, untilDone } from './until-done.js';

type Ended = Omit<Extract<ScheduledMessageStep, { kind: 'ended' }>, 'kind'>;

/** Pause before a step that fails permanently is tried again without a poke. */
const standsStillMs = 3_600_000;

/** Sends a colleague's message at its time. Each step asks the database when that is, so a stale timer does no harm. */
export async function sendScheduledMessage(input: RunInputs['sendScheduledMessage']): Promise<Ended> {
  const steps = new LocalStepQueue();
  const { workspaceId, scheduledMessageId } = input;
  const what = { workspaceId, scheduledMessageId };
  const cancel = cancellationOf(
    'cancelScheduledMessage',
    input,
    'Cancel the message, whose run was cancelled here',
  );
  const send = async (): Promise<Next<Ended>> => {
    const step = await steps.execute('sendScheduledMessage', what, 'Send the message, if it is due');
    showStands(undefined);
    if (step.kind === 'wait') {
      setCurrentDetails(
        step.isHeld
          ? 'Waits for the end of the hold of the workspace.'
          : `Waits until ${new Date(step.until).toISOString()}.`,
      );
      return { kind: 'wait', until: step.until, summary: 'Wait until the message is due' };
    }
    const { kind: _, ...ended } = step;
    setCurrentDetails(`Ended: \`${ended.outcome}\`${ended.reason ? `, \`${ended.reason}\`` : ''}.`);
    return { kind: 'idle', result: ended };
  };
  return await orCancel(
    () => untilDone(input, (pokes) => orStandStill(input, pokes, send, standsStillMs)),
    () => cancel(what),
  );
}
