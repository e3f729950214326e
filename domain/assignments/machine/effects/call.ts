import { rowOf } from '../machine.js';
import { requestTurn } from '../request-turn.js';
import { alert } from './alert.js';
import type { Perform } from './effect.js';
import { wait } from './wait.js';

/** When a member is called again who is on the phone in another chat. */
const onPhoneRetryMs = 5 * 60_000;

/** The call begins by a run of its own. What cannot be dialled is left to a person. */
export const call: Perform<'call'> = async (machine, { from }, origin) => {
  const { tx, chat, now, outreach } = machine;
  const assignmentTaskId = rowOf(machine, origin.task).id;
  const begun = await outreach.call(tx, { chat, assignmentTaskId, from, now });
  if (begun === 'answered') await requestTurn(machine, origin.entering);
  if (begun === 'on_phone') {
    const until = new Date(now.getTime() + onPhoneRetryMs);
    await wait(machine, { kind: 'wait', until }, origin);
  }
  if (begun === 'refused') {
    const changes = { standingReason: 'call_not_placed' };
    await alert(machine, { kind: 'alert', reason: 'call_not_placed', changes }, origin);
  }
};
