import { runProgram } from '../support/run-program.js';
import { startModelSimulator } from './start-model-simulator.js';

await runProgram('chat model', 4011, (port, host) => startModelSimulator({ port, host }));
