import { createListener } from '../listener.js';
import { liveChannel, type Notice, readNotice } from './notices.js';

export interface LiveListenerOptions {
  /** Role `wes_app`. */
  url: string;
  /** Delay in milliseconds before reconnecting after a connection was lost. */
  reconnectMs?: number;
  /** Interval in milliseconds between checks of the connection. */
  checkMs?: number;
}

export interface LiveHandlers {
  onNotice(notice: Notice): void;
  /** Notices arrive from now on; earlier ones may have been missed. */
  onListening(): void;
}

/** Receives the notices that processes send each other about chats. */
export interface LiveListener {
  /** Starts to listen on one connection, and reconnects whenever it is lost. Further calls have no effect. */
  start(handlers: LiveHandlers): void;
  close(): Promise<void>;
}

/** Creates a listener with a connection of its own. */
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
