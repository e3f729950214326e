import { insertPhoneCall, patchPhoneCall } from '../../db/calls/phone-calls.js';
import { findMember } from '../../db/people/members.js';
import type { Tx } from '../../db/tx.js';
import { type CallEnd, finishCall } from '../calls/finish-call.js';
import { liveOutreach } from '../calls/live-outreach.js';
import type { CallRequest, Outreach } from '../kernel/outreach.js';

/** What becomes of a call that a simulation places. */
export const simulatedCallOutcomes = ['answered', 'busy', 'no-answer', 'failed', 'voicemail'] as const;
export type SimulatedCallOutcome = (typeof simulatedCallOutcomes)[number];

/** The phone of a simulation: what becomes of its calls is scripted, and decided at once. By default the member answers. */
export class ScriptedPhone {
  /** Of the calls from here on. */
  outcome: SimulatedCallOutcome = 'answered';
  /** The number that calls; undefined before the simulation has one. */
  phoneNumberId: number | undefined;
  /** The assignment tasks in which the member is on the phone: the walk goes on there, in the chat. */
  readonly #answeredIn = new Set<number | null>();

  /** Messages go by the channels of the service, whose carrier is scripted as well. */
  get outreach(): Outreach {
    return {
      ...liveOutreach,
      call: (tx, call) => this.#call(tx, call),
      isInCall: async (tx, chat, taskId) =>
        this.#answeredIn.has(taskId) || liveOutreach.isInCall(tx, chat, taskId),
    };
  }

  /** An answered call goes on in the chat of the walk; any other one has ended. */
  async #call(
    tx: Tx,
    { chat, begunBy, assignmentTaskId = null, now }: CallRequest,
  ): Promise<'answered' | 'placed'> {
    const { outcome, phoneNumberId } = this;
    if (outcome === 'answered' || phoneNumberId === undefined) {
      this.#answeredIn.add(assignmentTaskId);
      return 'answered';
    }
    // The task may have been entered before, in a call that was answered.
    this.#answeredIn.delete(assignmentTaskId);
    const member = await findMember(tx, chat.memberId);
    const placed = await insertPhoneCall(tx, {
      chatId: chat.id,
      phoneNumberId,
      memberId: chat.memberId,
      inbound: false,
      remoteNumber: member?.phone ?? null,
      begunBy,
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
    return 'placed';
  }
}

function endOf(outcome: Exclude<SimulatedCallOutcome, 'answered'>): CallEnd {
  if (outcome === 'voicemail') {
    return { carrierStatus: 'completed', endedBy: 'voicemail', durationSeconds: 0, learntBy: 'run' };
  }
  return { carrierStatus: outcome, learntBy: 'run' };
}
