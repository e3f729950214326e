import pg from 'pg';
import { closeConnection } from '../pool/close-connection.js';
import { connectionSettings, noticeLimits } from '../pool/connection-settings.js';
import { type ChatPlace, changedPayloads, liveChannel, type Signal, signalPayload } from './notices.js';

/** Signals that wait while the database is slow; what comes beyond is dropped, as all of them may be. */
const mostSignals = 2_000;

/** Tells the processes that hold open streams what is new in chats. Nothing here throws or waits. */
export interface LivePublisher {
  /** After the commit. A notice that is lost delays what it tells of until the next look, and loses nothing. */
  chatsChanged(workspaceId: number, chatIds: readonly number[]): void;
  /** What is said before `chatsChanged` arrives before it. */
  signal(place: ChatPlace, signal: Signal): void;
  close(): Promise<void>;
}

/**
 * Publishes by NOTIFY on a connection of its own, never inside a business transaction: commits that notify queue
 * behind one lock for the whole database. However much there is to tell, one statement is under way and what comes
 * meanwhile goes with the next.
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
      // Those who listen look for themselves now and then; the next notice connects anew.
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
