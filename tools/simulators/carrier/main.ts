import { runProgram } from '../support/run-program.js';
import { startCarrierSimulator } from './start-carrier-simulator.js';

const { SIMULATED_ACCOUNT_SID, SIMULATED_AUTH_TOKEN } = process.env;

await runProgram('carrier', 4010, (port, host) =>
  startCarrierSimulator({
    port,
    host,
    ...(SIMULATED_ACCOUNT_SID === undefined ? {} : { accountSid: SIMULATED_ACCOUNT_SID }),
    ...(SIMULATED_AUTH_TOKEN === undefined ? {} : { authToken: SIMULATED_AUTH_TOKEN }),
  }),
);
