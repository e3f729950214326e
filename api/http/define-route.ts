import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { EnteredTx } from '../../db/database.js';
import type { LiveChats } from '../../domain/conversations/chat-events/live-chats.js';
import type { ReceiverAddresses } from '../../domain/events/event-rules/receiver.js';
import type { InstallationPolicy } from '../../domain/kernel/installation-policy.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import type { RunsClient } from '../../runtime/runs-client.js';
import type { Access } from './access.js';
import { pathParameterSchemas } from './path-parameters.js';
import type { EventSchemas, EventStream, ServerEvent } from './streams/event-stream.js';
import type { StreamAnswer, StreamDeclaration } from './streams/stream-declaration.js';
import type { Tag } from './tags.js';
import type { FileDeclaration, UploadedFile } from './uploads/uploaded-file.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The successful response of a route. */
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

/** A response of server-sent events, by event name. */
export interface EventsDeclaration {
  status: 200;
  events: EventSchemas;
  schema?: never;
  stream?: never;
  description: string;
}

/** The return type of a handler, by its response. */
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

/** Further handler inputs that depend on the kind of body and response. */
interface Extras<Response, File> {
  /** The uploaded file, if the route accepts one. */
  file: File extends FileDeclaration ? UploadedFile : undefined;
  /**
   * For a streamed response: aborted when the reader has disconnected. Work that has not begun by then must not begin.
   */
  signal: Response extends StreamDeclaration ? AbortSignal : undefined;
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise;

/** The session cookie of the caller's browser. */
export interface BrowserSession {
  /** Sets the session cookie, for at most this many seconds. */
  hold(token: string, seconds: number): void;
  /** Sets the device cookie, which marks a browser that has signed in, for this many seconds. */
  remember(deviceToken: string, seconds: number): void;
  /** Deletes the session cookie. */
  drop(): void;
}

/** One endpoint. Checks, types and documentation all follow from this declaration: design rule 4. */
export interface RouteDeclaration<
  Context,
  Path extends string,
  Response extends ResponseDeclaration,
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  File extends FileDeclaration | undefined = undefined,
  Prefetched = undefined,
  Prepared = undefined,
> {
  /** Unique over the service; generated clients use it as the name of the operation. */
  operationId: string;
  method: Method;
  /** Below `/api/v2`, parameters in braces. */
  path: Path;
  /** The group in the documentation: `tags.ts`. */
  tag: Tag;
  summary: string;
  description?: string;
  access: Access<Context>;
  /** Only if the schemas of the path's parameters do not follow from their names. */
  params?: Params;
  /** Coerced from text. Unknown parameters are refused, except from the carrier. */
  query?: Query;
  /** Unknown fields are refused, unless `consumes` is `form`. */
  body?: Body;
  /**
   * The format of the body. A carrier's callback is a form; `multipart` carries a file, and its fields are coerced from
   * text.
   */
  consumes?: File extends FileDeclaration ? 'multipart' : 'json' | 'form';
  /** The uploaded part `file`. */
  file?: File;
  response: Response;
  /**
   * Whether the route honours Idempotency-Key. If so, it runs inside one transaction and must not wait for a run. The
   * default is true for POST routes that answer 201; a route that sends something and answers another status sets it.
   */
  idempotent?: boolean;
  /** The answer contains a secret, so it is not stored for repeated requests. */
  secretAnswer?: boolean;
  /** The route evaluates expressions over a member's data. Its requests take turns, as large requests do. */
  evaluates?: boolean;
  /** Error statuses besides those that follow from the rest of the declaration. */
  errors?: Readonly<Partial<Record<401 | 403 | 409 | 422 | 429 | 503, string>>>;
  /**
   * For a member's route that is called often: queries that the handler needs, sent in the same message as
   * authentication, inside the workspace and before the permission check. They must not depend on the caller, must all
   * be sent at once, and must be bounded (docs/decisions/0049-asked-with-who-is-calling.md).
   */
  prefetch?: (
    tx: EnteredTx,
    input: { params: StaticOr<Params, ParametersOf<Path>>; query: StaticOr<Query, Record<string, never>> },
  ) => Promise<Prefetched>;
  /**
   * Gathers what the handler needs from outside the service, which may be slow. Called before the handler, while no
   * transaction is open, also if the route is idempotent (docs/decisions/0054-receivers-are-looked-at-first.md).
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
      /** The result of `prefetch`; undefined if it failed, in which case the handler runs the queries itself. */
      prefetched: Prefetched | undefined;
      /** The result of `prepare`. */
      prepared: Prepared;
      /** For handlers that need an answer from a run. */
      runs: RunsClient;
      /** For live events. */
      live: LiveChats;
      /** For values that only the service itself must be able to read again. */
      encryption: Encryption;
      /** What the operator allows accounts to do. */
      policy: InstallationPolicy;
      /** The `Last-Event-ID` of a client that reconnects to an event stream. */
      lastEventId: string | undefined;
      /** For signing in and out. */
      session: BrowserSession;
    } & Extras<Response, File>,
  ) => Answer<Response, Context>;
}

/** A declared route without its type parameters, for the application, the documentation and the tests. */
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
  readonly prefetch:
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
    prefetched: unknown;
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

/** Declares an endpoint. It is served once it is listed in api/resources/index.ts. */
export function defineRoute<
  Context,
  const Path extends string,
  const Response extends ResponseDeclaration,
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  File extends FileDeclaration | undefined = undefined,
  Prefetched = undefined,
  Prepared = undefined,
>(
  declaration: RouteDeclaration<Context, Path, Response, Params, Query, Body, File, Prefetched, Prepared>,
): Route {
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
    // A route with a file but no body schema accepts no other fields.
    body: declaration.body ?? (declaration.file === undefined ? undefined : Type.Object({})),
    consumes: declaration.consumes ?? 'json',
    file: declaration.file,
    response: declaration.response,
    idempotent: declaration.idempotent ?? createsAsSomebody(declaration),
    secretAnswer: declaration.secretAnswer ?? false,
    evaluates: declaration.evaluates ?? false,
    errors: declaration.errors ?? {},
    // The types above make the declaration safe; from here on the schemas are checked at run time.
    prefetch: declaration.prefetch as Route['prefetch'],
    prepare: declaration.prepare as Route['prepare'],
    handler: declaration.handler as unknown as Route['handler'],
  };
}

/** Idempotency keys are scoped to the caller, so a request without credentials cannot use one. */
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
  // Requests with the same key are compared by their bodies, and an uploaded file is not stored.
  return (
    file === undefined &&
    method === 'POST' &&
    response.status === 201 &&
    ['member', 'account'].includes(access.kind)
  );
}
