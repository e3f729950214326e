import { runProgram } from '../support/run-program.js';
import { startIdentityProvider } from './start-identity-provider.js';

await runProgram('identity provider', 4015, (port, host) => startIdentityProvider({ port, host }));
