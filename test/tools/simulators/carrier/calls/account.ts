import twilio from 'twilio';
import { CarrierRequestClient } from '../../../../../providers/carrier/carrier-request-client.js';
import {
  DEFAULT_ACCOUNT_SID,
  DEFAULT_AUTH_TOKEN,
} from '../../../../../tools/simulators/carrier/start-carrier-simulator.js';

/** The carrier's own package, at the simulator. */
export function accountOf(apiBaseUrl: string): twilio.Twilio {
  const httpClient = new CarrierRequestClient({ apiBaseUrl, timeoutMs: 5_000, connectTimeoutMs: 1_000 });
  return twilio(DEFAULT_ACCOUNT_SID, DEFAULT_AUTH_TOKEN, { httpClient });
}
