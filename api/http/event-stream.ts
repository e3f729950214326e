import type { Static, TSchema } from 'typebox';

/** The events a stream may send: their names and the schemas of their data. */
export type EventSchemas = Readonly<Record<string, TSchema>>;

/** One event of a stream. With an id it can be resumed after; without, it is over once it was seen. */
export type ServerEvent<Events extends EventSchemas> = {
  [Name in keyof Events & string]: {
    readonly event: Name;
    readonly id?: number;
    readonly data: Static<Events[Name]>;
  };
}[keyof Events & string];

/** Where a stream's events go: one connection. Nothing here throws. */
export interface EventSink<Event> {
  /**
   * Writes an event. The same object is turned into text once, however many connections it goes to. A reader that has
   * left too much unread is cut off.
   */
  send(event: Event): void;
  /** Resolves once the reader has taken what was written, or is gone; undefined when there is nothing to wait for. */
  whenReady(): Promise<void> | undefined;
  /** Ends the connection in good order; the client comes back by itself. */
  end(): void;
}

/** What the handler of an event stream returns: a stream that is ready to begin. */
export interface EventStream<Event, Context> {
  start(sink: EventSink<Event>): void;
  /** Called once, when the connection is gone. */
  stop(): void;
  /** Called now and then with the caller's rights as they are then; the stream ends when it rejects with a 4xx. */
  check(context: Context): Promise<void>;
}

/** Times and bounds of a stream's connection. */
export interface EventStreamTiming {
  /** How often a comment keeps the connection from looking dead. */
  heartbeatMs: number;
  /** The caller's access is checked at every so manieth heartbeat. */
  heartbeatsPerCheck: number;
  /** What may wait for a reader; one event more, and the reader is cut off. */
  mostUnreadBytes: number;
  /** After which a client reconnects, spread over as much again. */
  reconnectMs: number;
}

export const eventStreamTiming: EventStreamTiming = {
  heartbeatMs: 20_000,
  heartbeatsPerCheck: 3,
  mostUnreadBytes: 65_536,
  reconnectMs: 1_000,
};
