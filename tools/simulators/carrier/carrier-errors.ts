import { HttpFailure } from '../support/serve.js';

const KNOWN: Record<number, { status: number; message: string }> = {
  20003: { status: 401, message: 'Authenticate' },
  20404: { status: 404, message: 'The requested resource was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'Internal Server Error' },
  20503: { status: 503, message: 'Service unavailable' },
  10004: { status: 400, message: 'Call concurrency limit exceeded' },
  20001: { status: 400, message: 'Unknown parameters' },
  21201: { status: 400, message: "No 'To' number is specified" },
  21205: { status: 400, message: 'Url is not a valid URL' },
  21211: { status: 400, message: "Invalid 'To' Phone Number" },
  21212: { status: 400, message: "Invalid 'From' Phone Number" },
  21213: { status: 400, message: "'From' phone number is required" },
  21214: { status: 400, message: "'To' phone number cannot be reached" },
  21215: { status: 400, message: 'Account not authorized to call this country' },
  21216: { status: 400, message: 'Account not allowed to call this number' },
  21217: { status: 400, message: 'Phone number does not appear to be valid' },
  21220: { status: 400, message: 'Call is not in-progress. Cannot redirect.' },
  21266: { status: 400, message: "'To' and 'From' number cannot be the same" },
  21408: { status: 400, message: 'Permission to send an SMS has not been enabled for the region' },
  21602: { status: 400, message: 'Message body is required' },
  21603: { status: 400, message: "A 'From' phone number is required" },
  21604: { status: 400, message: "A 'To' phone number is required" },
  21609: { status: 400, message: 'The StatusCallback URL is not a valid URL' },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21611: { status: 400, message: "This 'From' number has exceeded the maximum number of queued messages" },
  21612: { status: 400, message: "The 'To' phone number is not currently reachable" },
  21614: { status: 400, message: "'To' number is not a valid mobile number" },
  21620: { status: 400, message: 'Invalid media URL(s)' },
  21623: { status: 400, message: 'Number of media files exceeds allowed limit' },
  21626: { status: 400, message: 'The StatusCallbackEvent is not valid' },
  21617: { status: 400, message: 'The concatenated message body exceeds the 1600 character limit' },
};

/** An answer with an error as the carrier's API writes it. */
export function carrierError(code: number): HttpFailure {
  const { status, message } = KNOWN[code] ?? { status: 400, message: 'Simulated refusal' };
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return new HttpFailure(status, { code, message, more_info, status });
}
