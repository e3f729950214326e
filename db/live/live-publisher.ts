import { createNotifier } from '../notifier.js';
import { type ChatPlace, changedPayloads, liveChannel, type Signal, signalPayload } from './notices.js';

/** How many wait while the database is slow; further ones are dropped, because signals may be lost anyway. */
const maxSignals = 2_000;

/** Notifies the processes that hold open streams of changes in chats. Its methods neither throw nor wait. */
export interface LivePublisher {
  /** Call it after the commit. A lost notice delays the news until the next poll, and loses nothing. */
  chatsChanged(workspaceId: number, chatIds: readonly number[]): void;
  /** A signal that is sent before `chatsChanged` arrives before it. */
  signal(place: ChatPlace, signal: Signal): void;
  close(): Promise<void>;
}

/** Publishes by NOTIFY; notices that come while a statement is in progress are sent with the next. */
export function createLivePublisher(url: string): LivePublisher {
  const changed = new Map<string, ChatPlace>();
  let signals: string[] = [];
  const notifier = createNotifier({
    url,
    name: 'wes live publisher',
    take() {
      if (changed.size + signals.length === 0) return undefined;
      const payloads = [...signals, ...(changed.size === 0 ? [] : changedPayloads([...changed.values()]))];
      signals = [];
      changed.clear();
      return {
        name: 'notify',
        text: `select pg_notify('${liveChannel}', payload) from unnest($1::text[]) as payload`,
        values: [payloads],
      };
    },
  });

  return {
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
