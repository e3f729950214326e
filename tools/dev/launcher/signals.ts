import { markStopping } from './data-folder.js';

interface Stopping {
  dataFolder: string;
  /** Stops everything in order. */
  stop: () => Promise<void>;
  /** Ends everything at once. */
  killAll: () => Promise<void>;
  tell: (sentence: string) => void;
}

/** npm hands on a signal that the terminal has given us already: only a later one means impatience. */
const sameSignalMs = 2_000;

/**
 * Stops the system on Ctrl-C, on a request to end, when the terminal is closed, and when the npm that started
 * it is gone. A second request ends everything at once.
 * @returns whether it was asked to stop
 */
export function stopOnSignals({ dataFolder, stop, killAll, tell }: Stopping): () => boolean {
  let stoppingSince: number | undefined;
  const request = () => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince < sameSignalMs) return;
      void killAll().finally(() => process.exit(1));
      return;
    }
    stoppingSince = Date.now();
    markStopping(dataFolder);
    tell('Stopping …');
    stop().then(
      () => {
        tell('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        tell(error instanceof Error ? error.message : String(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(request);
  return () => stoppingSince !== undefined;
}

/** Nobody would know that we still run, and the next start would find everything taken. */
function onParentGone(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, 500);
  timer.unref();
}
