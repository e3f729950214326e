import type { Database } from '../../../db/database.js';
import { createLiveListener, type LiveListenerOptions } from '../../../db/live/live-listener.js';
import type { LivePublisher } from '../../../db/live/live-publisher.js';
import { ChatHub, type ChatHubOptions } from '../../../domain/conversations/chat-events/chat-hub.js';
import { LiveChats, type LiveChatsOptions } from '../../../domain/conversations/chat-events/live-chats.js';

export interface LiveOptions extends LiveChatsOptions {
  hub?: Partial<Omit<ChatHubOptions, 'db' | 'listener'>>;
  listener?: Partial<LiveListenerOptions>;
}

/** What an api process follows chats with, on the database that it and others write to. */
export function createLiveChats(
  db: Database,
  url: string,
  publisher: LivePublisher,
  options: LiveOptions = {},
): LiveChats {
  const listener = createLiveListener({ url, reconnectMs: 50, ...options.listener });
  const hub = new ChatHub({ db, listener, retryMs: 50, ...options.hub });
  return new LiveChats(hub, publisher, options);
}

/** The same for tests that are about something else: nothing is heard, nothing is said. */
export function createDeafLiveChats(db: Database): LiveChats {
  const hub = new ChatHub({ db, listener: { start() {}, async close() {} } });
  const publisher: LivePublisher = { outboxWritten() {}, chatsChanged() {}, signal() {}, async close() {} };
  return new LiveChats(hub, publisher, { forMs: 0 });
}
