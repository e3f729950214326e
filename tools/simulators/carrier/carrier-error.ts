import { HttpFailure } from '../support/serve.js';

/** Messages from the carrier's error reference. */
const KNOWN: Record<number, { status: number; message: string }> = {
  20003: { status: 401, message: 'Authenticate' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'Internal Server Error' },
  20503: { status: 503, message: 'Service unavailable' },
  21211: { status: 400, message: "Invalid 'To' Phone Number" },
  21212: { status: 400, message: "Invalid 'From' Phone Number" },
  21266: { status: 400, message: "'To' and 'From' number cannot be the same" },
  21408: { status: 400, message: 'Permission to send an SMS has not been enabled for the region' },
  21602: { status: 400, message: 'Message body is required' },
  21603: { status: 400, message: "A 'From' phone number is required" },
  21604: { status: 400, message: "A 'To' phone number is required" },
  21609: { status: 400, message: 'The StatusCallback URL is not a valid URL' },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21612: { status: 400, message: "The 'To' phone number is not currently reachable" },
  21614: { status: 400, message: "'To' number is not a valid mobile number" },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit' },
};

/** An error in the carrier's format. */
export function carrierError(code: number, headers: Record<string, string> = {}): HttpFailure {
  const { status, message } = KNOWN[code] ?? { status: 400, message: 'Simulated refusal' };
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return new HttpFailure(status, { code, message, more_info, status }, headers);
}
