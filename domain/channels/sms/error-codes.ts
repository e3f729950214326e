import type { SendError } from '../deliveries/channel.js';

const minute = 60_000;
/** For a handset or network that may be back soon. */
const twice = [minute, 5 * minute];
/** For back-pressure of the carrier: the message itself is fine, and its life span limits the retries. */
const untilExpiry = [1, 2, 5, 10, ...Array<number>(12).fill(15)].map((count) => count * minute);

/** The carrier's error codes (https://www.twilio.com/docs/api/errors). */
const known: ReadonlyMap<string, SendError> = new Map([
  ['11200', { ...final('media_unreachable'), retryDelaysMs: twice }],
  ['11751', final('media_too_large')],
  ['12300', final('media_refused')],
  ['21610', { ...final('opted_out'), optsOut: true }],
  ['21211', final('invalid_number')],
  ['21614', final('not_a_mobile_number')],
  ['21611', { ...final('queue_full'), retryDelaysMs: untilExpiry, isTooFast: true }],
  ['21620', final('media_refused')],
  ['21623', final('media_refused')],
  ['30001', { ...final('queue_full'), retryDelaysMs: untilExpiry, isTooFast: true }],
  ['30002', { ...final('account_suspended'), retryDelaysMs: untilExpiry }],
  ['30003', { ...final('unreachable'), retryDelaysMs: twice }],
  ['30004', final('blocked')],
  ['30005', final('unknown_number')],
  ['30006', final('landline_or_unreachable_carrier')],
  ['30007', final('filtered_by_carrier')],
  ['30008', { ...final('unknown_error'), retryDelaysMs: twice }],
  ['30011', final('mms_unsupported')],
  ['30019', final('media_too_large')],
  ['30022', { ...final('rate_exceeded'), retryDelaysMs: untilExpiry, isTooFast: true }],
  ['30036', final('expired')],
]);

/** Unknown codes are final, because nothing suggests that a retry helps. */
export function explainSmsError(code: string): SendError {
  return known.get(code) ?? final('carrier_error');
}

function final(reason: string): SendError {
  return { reason, optsOut: false, retryDelaysMs: [] };
}
