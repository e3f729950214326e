import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { EnteredTx } from '../../db/database.js';
import type { Access } from './access.js';
import { Id, Uuid } from './schemas.js';
import type { Services } from './services.js';
import type {
  EventSchemas,
  EventStream,
  ServerEvent,
  StreamAnswer,
  StreamDeclaration,
} from './streams/event-stream.js';
import type { Tag } from './tags.js';
import type { FileDeclaration, UploadedFile } from './uploads/uploaded-file.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
interface EventsDeclaration {
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

/** What a handler receives. */
export interface HandlerInput<
  Context = unknown,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  File = UploadedFile | undefined,
  Signal = AbortSignal | undefined,
  Prefetched = unknown,
  Prepared = unknown,
> {
  context: Context;
  services: Services;
  params: Params;
  query: Query;
  body: Body;
  /** The uploaded file, if the route accepts one. */
  file: File;
  /**
   * For a streamed response: aborted when the reader has disconnected. Work that has not begun by then must not begin.
   */
  signal: Signal;
  /** The result of `prefetch`; undefined if it failed, in which case the handler runs the queries itself. */
  prefetched: Prefetched | undefined;
  /** The result of `prepare`. */
  prepared: Prepared;
  /** The `Last-Event-ID` of a client that reconnects to an event stream. */
  lastEventId: string | undefined;
  /** For signing in and out. */
  session: BrowserSession;
}

/** One endpoint. Checks, types and documentation all follow from this declaration. */
interface RouteDeclaration<
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
  prepare?: (input: { body: StaticOr<Body, undefined>; services: Services }) => Promise<Prepared>;
  handler: (
    input: HandlerInput<
      Context,
      StaticOr<Params, ParametersOf<Path>>,
      StaticOr<Query, Record<string, never>>,
      StaticOr<Body, undefined>,
      File extends FileDeclaration ? UploadedFile : undefined,
      Response extends StreamDeclaration ? AbortSignal : undefined,
      Prefetched,
      Prepared
    >,
  ) => Answer<Response, Context>;
}

/** A declaration without its type parameters. */
type AnyDeclaration = Omit<
  RouteDeclaration<
    unknown,
    string,
    ResponseDeclaration,
    TObject,
    TObject | undefined,
    TSchema | undefined,
    FileDeclaration | undefined
  >,
  'prefetch' | 'prepare' | 'handler'
> & {
  prefetch?: (tx: EnteredTx, input: Pick<HandlerInput, 'params' | 'query'>) => Promise<unknown>;
  prepare?: (input: Pick<HandlerInput, 'body' | 'services'>) => Promise<unknown>;
  handler: (input: HandlerInput) => Promise<unknown>;
};

/** The properties of a declaration that have a default. */
type Defaulted = 'params' | 'consumes' | 'idempotent' | 'secretAnswer' | 'evaluates' | 'errors';

/** A declared route with its defaults, and without its type parameters. */
export type Route = Readonly<AnyDeclaration & Required<Pick<AnyDeclaration, Defaulted>>>;

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
  // The types above make the declaration safe; from here on the schemas are checked at run time.
  const declared = declaration as unknown as AnyDeclaration;
  const { path, file } = declared;
  return {
    ...declared,
    params: declared.params ?? pathParameterSchemas(path),
    // A route with a file but no body schema accepts no other fields.
    body: declared.body ?? (file === undefined ? undefined : Type.Object({})),
    consumes: declared.consumes ?? 'json',
    idempotent: declared.idempotent ?? createsAsSomebody(declared),
    secretAnswer: declared.secretAnswer ?? false,
    evaluates: declared.evaluates ?? false,
    errors: declared.errors ?? {},
  };
}

/** Idempotency keys are scoped to the caller, so a request without credentials cannot use one. */
function createsAsSomebody({ method, response, access, file }: AnyDeclaration): boolean {
  // Requests with the same key are compared by their bodies, and an uploaded file is not stored.
  return (
    file === undefined &&
    method === 'POST' &&
    response.status === 201 &&
    ['member', 'account'].includes(access.kind)
  );
}

const text = Type.String({ minLength: 1, maxLength: 200 });

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** The schemas of a path's parameters, by their names: `_id` integers, `_uuid` UUIDs, others text. */
function pathParameterSchemas(path: string): TObject {
  const schemaOf = (name: string): TSchema =>
    name.endsWith('_id') ? Id : name.endsWith('_uuid') ? Uuid : text;
  return Type.Object(Object.fromEntries(parameterNames(path).map((name) => [name, schemaOf(name)])));
}
