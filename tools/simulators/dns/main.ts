import { runProgram } from '../support/run-program.js';
import { startDnsServer } from './start-dns-server.js';

await runProgram('DNS server', 4017, (port, host) => startDnsServer({ port, host }));
