import { type CarrierCallStatus, insertPhoneCall, patchPhoneCall } from '../../../db/calls/phone-calls.js';
import { findMember } from '../../../db/people/members.js';
import { type CallEnd, finishCall } from '../../calls/finish-call.js';
import type { TaskNode } from '../../definitions/task-tree/types.js';
import type { SimulatedCallOutcome, SimulatedCalls } from '../../kernel/simulated.js';
import { type Machine, rowOf } from './machine.js';

/**
 * Decides at once what becomes of a call in a simulation. An answered one goes on in the chat of the walk; any other has ended.
 * @returns whether the member is on the phone
 */
export async function simulateCall(
  machine: Machine,
  task: TaskNode,
  { outcome, phoneNumberId, answeredIn }: SimulatedCalls,
): Promise<boolean> {
  const assignmentTaskId = rowOf(machine, task).id;
  if (outcome === 'answered' || phoneNumberId === undefined) {
    answeredIn.add(assignmentTaskId);
    return true;
  }
  // The task may have been entered before, in a call that was answered.
  answeredIn.delete(assignmentTaskId);
  const { tx, chat, now } = machine;
  const member = await findMember(tx, chat.memberId);
  const placed = await insertPhoneCall(tx, {
    chatId: chat.id,
    phoneNumberId,
    memberId: chat.memberId,
    inbound: false,
    remoteNumber: member?.phone ?? null,
    begunBy: 'task',
    requestedByMemberId: null,
    assignmentTaskId,
    createdAt: now,
    updatedAt: now,
  });
  const machineAnswered = { startedAt: now, answeredBy: 'machine_start' } as const;
  const call = await patchPhoneCall(tx, placed.id, {
    dialedAt: now,
    ...(outcome === 'voicemail' ? machineAnswered : {}),
    updatedAt: now,
  });
  await finishCall(tx, { call, chat }, endOf(outcome), now);
  return false;
}

function endOf(outcome: Exclude<SimulatedCallOutcome, 'answered'>): CallEnd {
  if (outcome === 'voicemail') {
    return { carrierStatus: 'completed', endedBy: 'voicemail', durationSeconds: 0, learntBy: 'run' };
  }
  return { carrierStatus: outcome satisfies CarrierCallStatus, learntBy: 'run' };
}
