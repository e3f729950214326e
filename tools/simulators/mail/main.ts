import { runProgram } from '../support/run-program.js';
import { startMailSimulator } from './start-mail-simulator.js';

const { SMTP_PORT } = process.env;
const smtpPort = Number(SMTP_PORT ?? 4012);

await runProgram('mail server', 4013, (port, host) => startMailSimulator({ port, smtpPort, host }));
