import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { EnteredTx } from '../../db/database.js';
import type { LiveChats } from '../../domain/conversations/chat-events/live-chats.js';
import type { ReceiverAddresses } from '../../domain/events/event-rules/receiver.js';
import type { InstallationPolicy } from '../../domain/kernel/installation-policy.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import type { RunsClient } from '../../runtime/runs-client.js';
import type { Access } from './access.js';
import type { EventSchemas, EventStream, ServerEvent } from './event-stream.js';
import { pathParameterSchemas } from './path-parameters.js';
import type { StreamAnswer, StreamDeclaration } from './streams/stream-declaration.js';
import type { Tag } from './tags.js';
import type { FileDeclaration, UploadedFile } from './uploads/uploaded-file.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a route answers with when all goes well. */
export type ResponseDeclaration =
  | {
      status: 200 | 201 | 202;
      schema: TSchema;
      description?: string;
      contentType?: string;
      events?: never;
      stream?: never;
    }
  | { status: 204; schema?: never; description?: string; events?: never; stream?: never }
  | EventsDeclaration
  | StreamDeclaration;

/** An answer that goes on: server-sent events, by name. */
export interface EventsDeclaration {
  status: 200;
  events: EventSchemas;
  schema?: never;
  stream?: never;
  description: string;
}

/** What a handler has to return for a response. */
type Answer<Response extends ResponseDeclaration, Context> = Response extends {
  events: infer Events extends EventSchemas;
}
  ? Promise<EventStream<ServerEvent<Events>, Context>>
  : Response extends StreamDeclaration
    ? Promise<StreamAnswer<Response>>
    : Response extends { schema: infer Schema extends TSchema }
      ? Promise<Static<Schema>>
      : Promise<void>;

/** `'/w/{workspace_uuid}/members/{member_id}'` → `'workspace_uuid' | 'member_id'` */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** Parameters whose names end in `_id` are integers, all others strings (specification, conventions 5). */
type ParametersOf<Path extends string> = {
  [Name in ParameterNames<Path>]: Name extends `${string}_id` ? number : string;
};

/** What comes with a body of the kind, and what a stream is told, beside what every handler gets. */
interface Extras<Response, File> {
  /** What was uploaded, where the route takes a file. */
  file: File extends FileDeclaration ? UploadedFile : undefined;
  /** Of a stream: aborted once nobody reads any more. What has not begun by then is not to begin. */
  signal: Response extends StreamDeclaration ? AbortSignal : undefined;
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise;

/** The session that the caller's browser holds in a cookie. */
export interface BrowserSession {
  /** Hands it one, for so many seconds at most. */
  hold(token: string, seconds: number): void;
  /** Has the browser known again as one that signed in, for so many seconds. */
  remember(deviceToken: string, seconds: number): void;
  /** Takes the session away. */
  drop(): void;
}

/** One endpoint. Everything else (checks, types, documentation) follows from it: design rule 4. */
export interface RouteDeclaration<
  Context,
  Path extends string,
  Response extends ResponseDeclaration,
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  File extends FileDeclaration | undefined = undefined,
  Asked = undefined,
  Prepared = undefined,
> {
  /** Unique over the service; what generated clients call the operation. */
  operationId: string;
  method: Method;
  /** Below `/api/v2`, parameters in braces. */
  path: Path;
  /** The group it stands in: `tags.ts`. */
  tag: Tag;
  summary: string;
  description?: string;
  access: Access<Context>;
  /** Only where the path's parameters are not what their names say. */
  params?: Params;
  /** Coerced from text. Unknown parameters are refused, except from carriers. */
  query?: Query;
  /** Unknown fields are refused, unless `consumes` is `form`. */
  body?: Body;
  /** What the body comes as. A carrier's callback is a form; `multipart` brings a file, its fields coerced from text. */
  consumes?: File extends FileDeclaration ? 'multipart' : 'json' | 'form';
  /** The part `file` of what is uploaded. */
  file?: File;
  response: Response;
  /**
   * Whether it honours Idempotency-Key: it then runs inside one transaction, and must not wait for a run. By default
   * whatever creates does; what sends, but does not answer 201, says so.
   */
  idempotent?: boolean;
  /** The answer holds a secret, and is not kept for a repetition. */
  secretAnswer?: boolean;
  /** It evaluates expressions over a member's data: its requests take turns, as large ones do. */
  evaluates?: boolean;
  /** Statuses the route can answer with besides those that follow from the rest of the declaration. */
  errors?: Readonly<Partial<Record<401 | 403 | 409 | 422 | 429 | 503, string>>>;
  /**
   * For a member's route that is asked often: reads what the handler needs in the message that asks who is calling, in
   * the workspace and before anything is permitted. So it must not depend on the caller, asks all at once, and bounds
   * what it reads (docs/decisions/0049-asked-with-who-is-calling.md).
   */
  asks?: (
    tx: EnteredTx,
    input: { params: StaticOr<Params, ParametersOf<Path>>; query: StaticOr<Query, Record<string, never>> },
  ) => Promise<Asked>;
  /**
   * Finds out outside of the service what the handler needs, which takes its time: called before it, while no
   * transaction is open, where it is idempotent too (docs/decisions/0054-receivers-are-looked-at-first.md).
   */
  prepare?: (input: {
    body: StaticOr<Body, undefined>;
    webhookAddresses: ReceiverAddresses;
  }) => Promise<Prepared>;
  handler: (
    input: {
      context: Context;
      params: StaticOr<Params, ParametersOf<Path>>;
      query: StaticOr<Query, Record<string, never>>;
      body: StaticOr<Body, undefined>;
      /** What `asks` found; undefined where that failed, and the handler has to ask itself. */
      asked: Asked | undefined;
      /** What `prepare` found. */
      prepared: Prepared;
      /** For what needs an answer from a run. */
      runs: RunsClient;
      /** For what is told as it happens. */
      live: LiveChats;
      /** For what has to be read again, and by nobody else. */
      encryption: Encryption;
      /** What the operator allows accounts. */
      policy: InstallationPolicy;
      /** The `Last-Event-ID` of a client that comes back to an event stream. */
      lastEventId: string | undefined;
      /** For signing in and out. */
      session: BrowserSession;
    } & Extras<Response, File>,
  ) => Answer<Response, Context>;
}

/** A declared route with its types taken off: what the application, the documentation and the tests walk over. */
export interface Route {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string | undefined;
  readonly access: Access<unknown>;
  readonly params: TObject;
  readonly query: TObject | undefined;
  readonly body: TSchema | undefined;
  readonly consumes: 'json' | 'form' | 'multipart';
  readonly file: FileDeclaration | undefined;
  readonly response: ResponseDeclaration;
  readonly idempotent: boolean;
  readonly secretAnswer: boolean;
  readonly evaluates: boolean;
  readonly errors: Readonly<Partial<Record<number, string>>>;
  readonly asks:
    | ((tx: EnteredTx, input: { params: unknown; query: unknown }) => Promise<unknown>)
    | undefined;
  readonly prepare:
    | ((input: { body: unknown; webhookAddresses: ReceiverAddresses }) => Promise<unknown>)
    | undefined;
  readonly handler: (input: {
    context: unknown;
    params: unknown;
    query: unknown;
    body: unknown;
    asked: unknown;
    prepared: unknown;
    runs: RunsClient;
    live: LiveChats;
    encryption: Encryption;
    policy: InstallationPolicy;
    lastEventId: string | undefined;
    session: BrowserSession;
    file: UploadedFile | undefined;
    signal: AbortSignal | undefined;
  }) => Promise<unknown>;
}

/** Declares an endpoint. It exists once it is listed in api/resources/index.ts. */
export function defineRoute<
  Context,
  const Path extends string,
  const Response extends ResponseDeclaration,
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  File extends FileDeclaration | undefined = undefined,
  Asked = undefined,
  Prepared = undefined,
>(declaration: RouteDeclaration<Context, Path, Response, Params, Query, Body, File, Asked, Prepared>): Route {
  return {
    operationId: declaration.operationId,
    method: declaration.method,
    path: declaration.path,
    tag: declaration.tag,
    summary: declaration.summary,
    description: declaration.description,
    access: declaration.access,
    params: declaration.params ?? pathParameterSchemas(declaration.path),
    query: declaration.query,
    // A file alone comes without fields, and with none that are not declared.
    body: declaration.body ?? (declaration.file === undefined ? undefined : Type.Object({})),
    consumes: declaration.consumes ?? 'json',
    file: declaration.file,
    response: declaration.response,
    idempotent: declaration.idempotent ?? createsAsSomebody(declaration),
    secretAnswer: declaration.secretAnswer ?? false,
    evaluates: declaration.evaluates ?? false,
    errors: declaration.errors ?? {},
    // The types above are what makes the declaration safe; from here on the schemas are what is checked.
    asks: declaration.asks as Route['asks'],
    prepare: declaration.prepare as Route['prepare'],
    handler: declaration.handler as unknown as Route['handler'],
  };
}

/** Keys are told apart by who calls: without credentials there is nobody to give an answer back to. */
function createsAsSomebody({
  method,
  response,
  access,
  file,
}: {
  method: Method;
  response: ResponseDeclaration;
  file?: FileDeclaration | undefined;
  access: { kind: Access<unknown>['kind'] };
}): boolean {
  // Requests under one key are told apart by their bodies, and of a file nothing is kept.
  return (
    file === undefined &&
    method === 'POST' &&
    response.status === 201 &&
    ['member', 'account'].includes(access.kind)
  );
}
