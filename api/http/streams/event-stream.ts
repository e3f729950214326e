import Type, { type Static, type TSchema } from 'typebox';
import type { AnswerOf } from '../schemas.js';

/** The schemas of the data of a stream's events, by their names. */
export type EventSchemas = Readonly<Record<string, TSchema>>;

/** One event of a stream. A stream can be resumed after an event with an id; an event without one is not sent again. */
export type ServerEvent<Events extends EventSchemas> = {
  [Name in keyof Events & string]: {
    readonly event: Name;
    readonly id?: number;
    readonly data: AnswerOf<Events[Name]>;
  };
}[keyof Events & string];

/** The connection that a stream writes to. Its methods never throw. */
export interface EventSink<Event> {
  /** Writes an event; the same object is encoded once. A reader with too much unread data is disconnected. */
  send(event: Event): void;
  /** Resolves once the reader has taken what was written, or has disconnected; undefined if nothing is unread. */
  whenReady(): Promise<void> | undefined;
  /** Closes the connection properly; the client reconnects by itself. */
  end(): void;
}

/** The result of an event stream's handler: a stream that is ready to start. */
export interface EventStream<Event, Context> {
  start(sink: EventSink<Event>): void;
  /** Called once, when the connection is closed. */
  stop(): void;
  /** Called regularly with the caller's current permissions. The stream ends if it rejects with a 4xx. */
  check(context: Context): Promise<void>;
}

export const eventStreamTiming = {
  /** How often a comment is sent to keep the connection alive. */
  heartbeatMs: 20_000,
  /** Number of heartbeats between two checks of the caller's access. */
  heartbeatsPerCheck: 3,
  /** Unread bytes allowed per connection; a reader with more is disconnected at the next event. */
  maxUnreadBytes: 65_536,
  /** Delay before a client reconnects, plus a random part of up to the same length. */
  reconnectMs: 1_000,
};

/** Intervals and limits of a stream's connection. */
export type EventStreamTiming = typeof eventStreamTiming;

/** An answer of server-sent events. */
export interface EventsDeclaration {
  status: 200;
  events: EventSchemas;
  description: string;
  schema?: never;
  stream?: never;
  redirect?: never;
  file?: never;
}

/** A streamed answer with one value per line (`application/x-ndjson`). */
interface LinesDeclaration {
  status: 200;
  stream: 'application/x-ndjson';
  /** The schema of one line. `StreamFailure` may be the last line and is not declared. */
  schema: TSchema;
  description: string;
  events?: never;
  file?: never;
  redirect?: never;
}

/** A streamed answer with a table (`text/csv`, RFC 4180), to be saved as a file. */
interface TableDeclaration {
  status: 200;
  stream: 'text/csv';
  description: string;
  schema?: never;
  events?: never;
  file?: never;
  redirect?: never;
}

export type StreamDeclaration = LinesDeclaration | TableDeclaration;

/** The result of a handler that streams a table: a file name, whose unsafe characters are replaced, and its text. */
export interface Table {
  fileName: string;
  text: AsyncIterable<string>;
}

/** The result of a handler that streams. Errors before the first piece, with which the answer begins, are problems. */
export type StreamAnswer<Declared extends StreamDeclaration> = Declared extends LinesDeclaration
  ? AsyncIterable<AnswerOf<Declared['schema']>>
  : Table;

/** The last line of a stream that failed before its end. */
export const StreamFailure = Type.Object(
  {
    type: Type.Literal('error'),
    code: Type.String({ description: 'Machine readable and stable, as in Problem' }),
    requestId: Type.String(),
  },
  { $id: 'StreamFailure', description: 'The last line where something went wrong after the first' },
);
export type StreamFailure = Static<typeof StreamFailure>;
