import { createListener } from '../listener.js';
import { liveChannel, type Notice, readNotice } from './notices.js';

export interface LiveListenerOptions {
  /** Role `wes_app`. */
  url: string;
  /** After a connection was lost, until the next attempt. */
  reconnectMs?: number;
  /** How often the connection is asked whether it still lives. */
  checkMs?: number;
}

export interface LiveHandlers {
  onNotice(notice: Notice): void;
  /** Notices come from now on; whatever was told before may have been missed. */
  onListening(): void;
}

/** Hears what the processes tell each other about chats. */
export interface LiveListener {
  /** Begins to listen, on one connection, and goes on through every loss of it. Once. */
  start(handlers: LiveHandlers): void;
  close(): Promise<void>;
}

/** Listens on a connection of its own. */
export function createLiveListener(options: LiveListenerOptions): LiveListener {
  const listener = createListener({ ...options, name: 'wes live listener', channel: liveChannel });
  return {
    start({ onNotice, onListening }) {
      listener.start({
        onListening,
        onNotification(payload) {
          const notice = readNotice(payload);
          if (notice !== undefined) onNotice(notice);
        },
      });
    },
    close: () => listener.close(),
  };
}
