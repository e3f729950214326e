import pg from 'pg';
import { closeConnection } from '../pool/close-connection.js';
import { connectionSettings, noticeLimits } from '../pool/connection-settings.js';
import { type ChatPlace, changedPayloads, liveChannel, type Signal, signalPayload } from './notices.js';

/** Signals that wait while the database is slow. Further ones are dropped, because signals may be lost anyway. */
const mostSignals = 2_000;

/** Notifies the processes that hold open streams of changes in chats. Its methods neither throw nor wait. */
export interface LivePublisher {
  /** Call it after the commit. A lost notice delays the news until the next poll, and loses nothing. */
  chatsChanged(workspaceId: number, chatIds: readonly number[]): void;
  /** A signal that is sent before `chatsChanged` arrives before it. */
  signal(place: ChatPlace, signal: Signal): void;
  close(): Promise<void>;
}

/**
 * Publishes by NOTIFY on a connection of its own, never inside a business transaction: commits that notify queue behind
 * one lock for the whole database. At most one statement is under way; notices that come meanwhile are sent with the
 * next.
 */
export function createLivePublisher(url: string): LivePublisher {
  const changed = new Map<string, ChatPlace>();
  let signals: string[] = [];
  let client: pg.Client | undefined;
  let underWay: Promise<void> | undefined;
  let closed = false;

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client;
    const fresh = new pg.Client(connectionSettings(url, 'wes live publisher', noticeLimits));
    fresh.on('error', () => forget(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  }

  function forget(lost: pg.Client | undefined): void {
    if (client === lost) client = undefined;
    if (lost !== undefined) void closeConnection(lost);
  }

  async function send(): Promise<void> {
    const payloads = [...signals, ...(changed.size === 0 ? [] : changedPayloads([...changed.values()]))];
    signals = [];
    changed.clear();
    try {
      await (await connected()).query({
        name: 'tell',
        text: `select pg_notify('${liveChannel}', payload) from unnest($1::text[]) as payload`,
        values: [payloads],
      });
    } catch {
      // Listeners also poll now and then; the next notice reconnects.
      forget(client);
    }
  }

  async function work(): Promise<void> {
    while (changed.size + signals.length > 0 && !closed) await send();
    underWay = undefined;
  }

  function wake(): void {
    if (!closed) underWay ??= work();
  }

  return {
    chatsChanged(workspaceId, chatIds) {
      for (const chatId of chatIds) changed.set(`${workspaceId}:${chatId}`, { workspaceId, chatId });
      wake();
    },
    signal(place, signal) {
      if (signals.length >= mostSignals) return;
      signals.push(signalPayload(place, signal));
      wake();
    },
    async close() {
      await underWay;
      closed = true;
      if (client !== undefined) await closeConnection(client);
    },
  };
}
