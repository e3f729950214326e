import { createNotifier, outboxChannel } from '../notifier.js';
import { type ChatPlace, changedPayloads, liveChannel, type Signal, signalPayload } from './notices.js';

/** How many wait while the database is slow; further ones are dropped, because signals may be lost anyway. */
const maxSignals = 2_000;

/** Notifies the relay, and the processes that hold open streams of changes in chats. Its methods neither throw nor wait. */
export interface LivePublisher {
  /** Call it after the commit. However many there are, at most one notification is in progress and one waits. */
  outboxWritten(): void;
  /** Call it after the commit. A lost notice delays the news until the next poll, and loses nothing. */
  chatsChanged(workspaceId: number, chatIds: readonly number[]): void;
  /** A signal that is sent before `chatsChanged` arrives before it. */
  signal(place: ChatPlace, signal: Signal): void;
  close(): Promise<void>;
}

/** Publishes by NOTIFY; notices that come while a statement is in progress, or in the same turn, are sent with one statement. */
export function createLivePublisher(url: string): LivePublisher {
  let isOutboxWritten = false;
  const changed = new Map<string, ChatPlace>();
  let signals: string[] = [];
  const notifier = createNotifier({
    url,
    name: 'wes live publisher',
    take() {
      const payloads = [...signals, ...(changed.size === 0 ? [] : changedPayloads([...changed.values()]))];
      const channels: string[] = payloads.map(() => liveChannel);
      if (isOutboxWritten) {
        channels.unshift(outboxChannel);
        payloads.unshift('');
      }
      if (payloads.length === 0) return undefined;
      isOutboxWritten = false;
      signals = [];
      changed.clear();
      return {
        name: 'notify',
        text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as notice (channel, payload)',
        values: [channels, payloads],
      };
    },
  });

  return {
    outboxWritten() {
      isOutboxWritten = true;
      notifier.wake();
    },
    chatsChanged(workspaceId, chatIds) {
      for (const chatId of chatIds) changed.set(`${workspaceId}:${chatId}`, { workspaceId, chatId });
      notifier.wake();
    },
    signal(place, signal) {
      if (signals.length >= maxSignals) return;
      signals.push(signalPayload(place, signal));
      notifier.wake();
    },
    close: () => notifier.close(),
  };
}
