/** What a carrier's error code means for us. Codes: https://www.twilio.com/docs/api/errors */
export interface SmsError {
  /** Short and free of data about the member, shown as `smsDeliveryFailureReason`. */
  reason: string;
  /** The carrier will not send to this member from this sender any more. */
  optsOut: boolean;
  /** How long to wait before each further attempt; with none left the failure is final. */
  retryDelaysMs: readonly number[];
}

const minute = 60_000;
/** The member's handset or network may be back soon. */
const twice = [minute, 5 * minute];
/** The carrier has no room for us now: nothing is wrong with the message, whose life span bounds this. */
const untilExpiry = [1, 2, 5, 10, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15].map(
  (count) => count * minute,
);

const optedOut: SmsError = { reason: 'opted_out', optsOut: true, retryDelaysMs: [] };
const known: ReadonlyMap<string, SmsError> = new Map([
  ['21610', optedOut],
  ['21211', final('invalid_number')],
  ['21614', final('not_a_mobile_number')],
  ['21611', { ...final('queue_full'), retryDelaysMs: untilExpiry }],
  ['30001', { ...final('queue_full'), retryDelaysMs: untilExpiry }],
  ['30002', { ...final('account_suspended'), retryDelaysMs: untilExpiry }],
  ['30003', { ...final('unreachable'), retryDelaysMs: twice }],
  ['30004', final('blocked')],
  ['30005', final('unknown_number')],
  ['30006', final('landline_or_unreachable_carrier')],
  ['30007', final('filtered_by_carrier')],
  ['30008', { ...final('unknown_error'), retryDelaysMs: twice }],
  ['30022', { ...final('rate_exceeded'), retryDelaysMs: untilExpiry }],
  ['30036', final('expired')],
]);

/** What an error code means; one that we do not know is final, as nothing says that repeating helps. */
export function explainSmsError(code: string): SmsError {
  return known.get(code) ?? final('carrier_error');
}

/** Whether a code says that the member has opted out. */
export function optsOut(code: string): boolean {
  return explainSmsError(code).optsOut;
}

/** How long to wait before the next attempt, after `attempts` were made; undefined when there is to be none. */
export function retryDelayMs(code: string, attempts: number): number | undefined {
  return explainSmsError(code).retryDelaysMs[attempts - 1];
}

function final(reason: string): SmsError {
  return { reason, optsOut: false, retryDelaysMs: [] };
}
