import type { CallStatus, CarrierCallStatus } from '../../db/calls/phone-calls.js';

/**
 * The statuses of a call, in the order in which it can have them. Each leads to any later one: a callback may be lost, and a
 * call can end before it rings. The five last are final.
 */
const order: Readonly<Record<CallStatus, number>> = {
  pending: 0,
  ringing: 1,
  'in-progress': 2,
  completed: 3,
  busy: 3,
  'no-answer': 3,
  failed: 3,
  canceled: 3,
};

/** What the carrier's words mean. https://www.twilio.com/docs/voice/api/call-resource#call-status-values */
const meanings: Readonly<Record<string, CallStatus>> = {
  queued: 'pending',
  initiated: 'pending',
  ringing: 'ringing',
  'in-progress': 'in-progress',
  answered: 'in-progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no-answer',
  failed: 'failed',
  canceled: 'canceled',
};

/** Returns the status that a word of the carrier means; undefined for a word that it does not have today. */
export function callStatusOf(word: string): CallStatus | undefined {
  return Object.hasOwn(meanings, word) ? meanings[word] : undefined;
}

export function isFinal(status: CallStatus): status is CarrierCallStatus {
  return order[status] === order.completed;
}

/** Whether a report changes anything: reports come late, twice and out of order, so that none leads back. */
export function isLater(reported: CallStatus, than: CallStatus): boolean {
  return order[reported] > order[than];
}
