import { runProgram } from '../support/run-program.js';
import { startWebhookSink } from './start-webhook-sink.js';

await runProgram('webhook receiver', 4014, (port, host) => startWebhookSink({ port, host }));
