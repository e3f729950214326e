import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let installed = false;

/** The SDK's runtime, once for each test process: quiet, and without handlers of signals. */
export function installRuntime(): void {
  if (installed) return;
  installed = true;
  const level = process.env.TEST_LOG_LEVEL === undefined ? 'ERROR' : 'INFO';
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger(level),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: level }), forward: {} } },
  });
}
