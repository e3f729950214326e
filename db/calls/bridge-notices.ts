import { createListener, type ListenerOptions } from '../listener.js';
import { createNotifier } from '../notifier.js';

/** The channel on which processes that hold calls learn that there are commands for them. */
const bridgeChannel = 'wes_media';

/** Tells processes that there are commands for them. A lost notice is found with the next renewal of a lease. */
export function createBridgeNotifier(url: string) {
  const waiting = new Set<string>();
  const notifier = createNotifier({
    url,
    name: 'wes media notifier',
    take() {
      if (waiting.size === 0) return undefined;
      const processes = [...waiting];
      waiting.clear();
      return {
        name: 'notify media',
        text: `select pg_notify('${bridgeChannel}', process) from unnest($1::text[]) as process`,
        values: [processes],
      };
    },
  });
  return {
    /** Call it after the commit. Neither throws nor waits. */
    commanded(processId: string): void {
      waiting.add(processId);
      notifier.wake();
    },
    close: () => notifier.close(),
  };
}

/** Calls `onCommand` for each notice to this process, and when earlier ones may have been missed. */
export function createBridgeListener(
  options: Omit<ListenerOptions, 'name' | 'channel'>,
  processId: string,
  onCommand: () => void,
) {
  const listener = createListener({ ...options, name: 'wes media listener', channel: bridgeChannel });
  return {
    start: () =>
      listener.start({
        onListening: onCommand,
        onNotification(payload) {
          if (payload === processId) onCommand();
        },
      }),
    close: () => listener.close(),
  };
}
