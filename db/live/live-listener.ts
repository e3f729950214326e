import { createListener, type ListenerOptions } from '../listener.js';
import { liveChannel, type Notice, readNotice } from './notices.js';

/** With the URL of `wes_app`. */
export type LiveListenerOptions = Omit<ListenerOptions, 'name' | 'channel'>;

/** Receives the notices that processes send each other about chats. */
export interface LiveListener {
  /** Starts to listen; `onListening` says that earlier notices may have been missed. Further calls have no effect. */
  start(handlers: { onNotice(notice: Notice): void; onListening(): void }): void;
  close(): Promise<void>;
}

export function createLiveListener(options: LiveListenerOptions): LiveListener {
  const listener = createListener({ ...options, name: 'wes live listener', channel: liveChannel });
  return {
    start({ onNotice, onListening }) {
      const onNotification = (payload: string) => {
        const notice = readNotice(payload);
        if (notice !== undefined) onNotice(notice);
      };
      listener.start({ onListening, onNotification });
    },
    close: () => listener.close(),
  };
}
