import type { operations as table } from './operations.js';
import type { operations as schemas } from './schema.js';

export type OperationId = keyof typeof table;

type Of<Id extends OperationId> = schemas[Id];
type PathOf<Id extends OperationId> = Of<Id>['parameters'] extends { path: infer Path } ? Path : unknown;
type QueryOf<Id extends OperationId> = Of<Id>['parameters'] extends { query?: infer Query }
  ? [NonNullable<Query>] extends [never]
    ? unknown
    : undefined extends Query
      ? Partial<NonNullable<Query>>
      : Query
  : unknown;

/** The client fills in its own workspace. */
type WithoutWorkspace<Path> = Path extends { workspace_uuid: string } ? Omit<Path, 'workspace_uuid'> : Path;

type ContentOf<Body> = Body extends { content: infer Content }
  ? Content extends { 'multipart/form-data': infer Form }
    ? Omit<Form, 'file'> & { file: Blob }
    : Content[keyof Content]
  : never;
type BodyOf<Id extends OperationId> =
  Of<Id> extends { requestBody: infer Body }
    ? { body: ContentOf<Body> }
    : Of<Id> extends { requestBody?: infer Body }
      ? [NonNullable<Body>] extends [never]
        ? unknown
        : { body?: ContentOf<NonNullable<Body>> }
      : unknown;

/** The parameters of an operation by their names in the API document, and its `body`. */
export type Parameters<Id extends OperationId> = WithoutWorkspace<PathOf<Id>> & QueryOf<Id> & BodyOf<Id>;

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];
type Failure = { type: 'error'; code: string; requestId: string };

type Streamed<Content> = Content extends { 'text/event-stream': infer Event }
  ? AsyncIterableIterator<Event>
  : Content extends { 'application/x-ndjson': infer Line }
    ? AsyncIterableIterator<Exclude<Line, Failure>>
    : Content extends { 'text/csv': string }
      ? AsyncIterableIterator<string>
      : Content extends { '*/*': string }
        ? AsyncIterableIterator<Uint8Array>
        : never;

type ContentAnswered<Id extends OperationId> =
  Success<Of<Id>['responses']> extends { content: infer Content } ? Content : never;

/** The content of an operation's JSON answer; undefined if the answer has none. */
export type Answer<Id extends OperationId> =
  ContentAnswered<Id> extends { 'application/json': infer Json } ? Json : undefined;

/** What an operation returns: a promise, or for streams an iterable, which sends the request when it is iterated. */
type Returned<Id extends OperationId> = [ContentAnswered<Id>] extends [never]
  ? Promise<undefined>
  : [Streamed<ContentAnswered<Id>>] extends [never]
    ? Promise<Answer<Id>>
    : Streamed<ContentAnswered<Id>>;

/** What may be said of a single call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Unless given, the client makes one for each call of an operation that accepts it. */
  idempotencyKey?: string;
  /** For a change on condition: the `etagOf` what was read. Another change in between fails with 412. */
  ifMatch?: string | undefined;
  /** For an event stream: begins after this event. */
  lastEventId?: string;
}

export type Operation<Id extends OperationId> = 'total_count' extends keyof QueryOf<Id>
  ? CountedOperation<Id>
  : Record<never, never> extends Parameters<Id>
    ? (parameters?: Parameters<Id>, options?: CallOptions) => Returned<Id>
    : (parameters: Parameters<Id>, options?: CallOptions) => Returned<Id>;

/** A list that is an array, and an object with the array and its total if `total_count` asks for it. */
interface CountedOperation<Id extends OperationId> {
  (parameters: Parameters<Id> & { total_count?: false }, options?: CallOptions): Promise<Array_<Answer<Id>>>;
  (
    parameters: Parameters<Id> & { total_count: true },
    options?: CallOptions,
  ): Promise<Exclude<Answer<Id>, readonly unknown[]>>;
}

/** A method for each operation of the API document. */
export type Operations = { [Id in OperationId]: Operation<Id> };

/** The operations that answer with a list in pages. */
export type ListId = {
  [Id in OperationId]: (typeof table)[Id] extends { paged: string } ? Id : never;
}[OperationId];

type Array_<Value> = Extract<Value, readonly unknown[]>;
/** An item of a list. */
export type Item<Id extends ListId> =
  Answer<Id> extends { items: (infer One)[] } ? One : Array_<Answer<Id>>[number];
