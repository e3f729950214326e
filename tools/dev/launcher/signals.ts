import { markStopping } from './data-folder.js';

interface Stopping {
  dataFolder: string;
  stop: () => Promise<void>;
  killAll: () => Promise<void>;
  print: (sentence: string) => void;
}

/** npm forwards a signal that the terminal has already sent to this process, so a repeat within 2 s is ignored. */
const sameSignalMs = 2_000;

/**
 * Stops the system on SIGINT (Ctrl-C), SIGTERM and SIGHUP (closed terminal), and when the npm that started it is gone.
 * A second request kills everything at once.
 * @returns a function that reports whether a stop was requested
 */
export function stopOnSignals({ dataFolder, stop, killAll, print }: Stopping): () => boolean {
  let stoppingSince: number | undefined;
  const request = () => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince >= sameSignalMs) void killAll().finally(() => process.exit(1));
      return;
    }
    stoppingSince = Date.now();
    markStopping(dataFolder);
    print('Stopping …');
    stop().then(
      () => {
        print('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        print(error instanceof Error ? error.message : String(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(request);
  return () => stoppingSince !== undefined;
}

/** Calls `then` when the parent is gone; otherwise the launcher would keep running unseen and hold all ports. */
function onParentGone(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, 500);
  timer.unref();
}
