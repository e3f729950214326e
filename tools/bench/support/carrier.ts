import { freePort } from '../../dev/provision/ports.js';
import { DEFAULT_ACCOUNT_SID, DEFAULT_AUTH_TOKEN } from '../../simulators/carrier/start-carrier-simulator.js';

/** Where an api is reached by the simulated carrier at `url`: its port, and the settings of all programs. */
export async function reachedByCarrier(url: string) {
  const port = await freePort();
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TWILIO_ACCOUNT_SID: DEFAULT_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: DEFAULT_AUTH_TOKEN,
    TWILIO_API_BASE_URL: url,
  };
  return { port, env };
}
