/** What a carrier's error code means for us. Codes: https://www.twilio.com/docs/api/errors */
export interface SmsError {
  /** Short and free of data about the member, shown as `smsDeliveryFailureReason`. */
  reason: string;
  /** The carrier will not send to this member from this sender any more. */
  optsOut: boolean;
  retryable: boolean;
}

const optedOut: SmsError = { reason: 'opted_out', optsOut: true, retryable: false };
const known: ReadonlyMap<string, SmsError> = new Map([
  ['21610', optedOut],
  ['21211', final('invalid_number')],
  ['21614', final('not_a_mobile_number')],
  ['30003', passing('unreachable')],
  ['30004', final('blocked')],
  ['30005', final('unknown_number')],
  ['30006', final('landline_or_unreachable_carrier')],
  ['30007', final('filtered_by_carrier')],
  ['30008', passing('unknown_error')],
]);

/** How long to wait before each further attempt; with none left the failure is final. */
const retryDelaysMs = [60_000, 300_000];

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
  return explainSmsError(code).retryable ? retryDelaysMs[attempts - 1] : undefined;
}

function final(reason: string): SmsError {
  return { reason, optsOut: false, retryable: false };
}

function passing(reason: string): SmsError {
  return { reason, optsOut: false, retryable: true };
}
