import { runProgram } from '../support/run-program.js';
import { startCarrierSimulator } from './start-carrier-simulator.js';

const { SIMULATED_ACCOUNT_SID: accountSid, SIMULATED_AUTH_TOKEN: authToken } = process.env;

await runProgram('carrier', 4010, (port, host) =>
  startCarrierSimulator({ port, host, accountSid, authToken }),
);
