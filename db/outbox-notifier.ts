import { createNotifier } from './notifier.js';

/** The channel that the relay listens on. A notification has no payload, because the relay reads the rows. */
export const outboxChannel = 'wes_outbox';

export interface OutboxNotifier {
  /** Wakes the relay soon. Never throws, because the relay polls as well. */
  notify(): void;
  close(): Promise<void>;
}

/** However many commits there are, at most one notification is in progress and one waits. */
export function createOutboxNotifier(url: string): OutboxNotifier {
  let waiting = false;
  const notifier = createNotifier({
    url,
    name: 'wes outbox notifier',
    take() {
      if (!waiting) return undefined;
      waiting = false;
      return { text: `notify ${outboxChannel}` };
    },
  });
  return {
    notify() {
      waiting = true;
      notifier.wake();
    },
    close: () => notifier.close(),
  };
}
