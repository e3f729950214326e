import type { Static, TObject, TSchema } from 'typebox';
import type { EnteredTx } from '../../db/tx.js';
import type { TurnName } from '../../domain/kernel/admissions.js';
import type { AuditAction } from '../../domain/kernel/audit/audit-actions.js';
import type { Access } from './access.js';
import type { FileAnswerDeclaration, ServedFile } from './files/served-file.js';
import type { AnswerOf } from './schemas.js';
import type { Services } from './services.js';
import type {
  EventStream,
  EventsDeclaration,
  ServerEvent,
  StreamAnswer,
  StreamDeclaration,
} from './streams/event-stream.js';
import type { Tag } from './tags.js';
import type { FileDeclaration, UploadedFile } from './uploads/uploaded-file.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The successful response of a route. */
export type ResponseDeclaration =
  | (AtOnce & {
      status: 200 | 201 | 202;
      schema: TSchema;
      contentType?: string;
      /** Of a page that people see. */
      headers?: Readonly<Record<string, string>>;
    })
  | (AtOnce & { status: 204; schema?: never })
  | EventsDeclaration
  | StreamDeclaration
  | FileAnswerDeclaration
  | RedirectDeclaration;

/** The answer sends a browser to another address. */
export interface RedirectDeclaration {
  status: 303;
  redirect: true;
  description: string;
  schema?: never;
  events?: never;
  stream?: never;
  file?: never;
}

interface AtOnce {
  description?: string;
  events?: never;
  stream?: never;
  file?: never;
  redirect?: never;
}

/** The return type of a handler, by its response. */
type Answer<Response extends ResponseDeclaration, Context> = Response extends EventsDeclaration
  ? Promise<EventStream<ServerEvent<Response['events']>, Context>>
  : Response extends StreamDeclaration
    ? Promise<StreamAnswer<Response>>
    : Response extends FileAnswerDeclaration
      ? Promise<ServedFile>
      : Response extends RedirectDeclaration
        ? Promise<{ location: string }>
        : Response extends { schema: infer Schema extends TSchema }
          ? Promise<AnswerOf<Schema>>
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
type AnswerOr<Schema, Otherwise> = Schema extends TSchema ? AnswerOf<Schema> : Otherwise;

/** The session cookie of the caller's browser. */
export interface BrowserSession {
  /** Sets the session cookie, for at most this many seconds. */
  hold(token: string, seconds: number): void;
  /** Sets the device cookie, which marks a browser that has signed in, for this many seconds. */
  remember(deviceToken: string, seconds: number): void;
  /** Keeps a sign-in that is under way elsewhere, for this many seconds. */
  keepFlow(sealed: string, seconds: number): void;
  dropFlow(): void;
  /** Sets the cookie of an organization, for at most this many seconds. */
  join(organizationToken: string, seconds: number): void;
  /** Deletes the session cookie, and that of an organization. */
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
   * For a streamed response: aborted when the reader has disconnected. No work must begin after that. Otherwise, if the
   * caller can give up, aborted when it has: what is waited for is waited for no longer, and what has begun is finished.
   */
  signal: Signal;
  /** Called by a route that waits for a run, once the run has begun; undefined where nobody asks. */
  begun: (() => void) | undefined;
  /** The result of `prefetch`; undefined if it failed: the handler then runs the queries itself. */
  prefetched: Prefetched | undefined;
  prepared: Prepared;
  /** The `Last-Event-ID` of a client that reconnects to an event stream. */
  lastEventId: string | undefined;
  /** Names the request: the same for all with the same Idempotency-Key, if the route starts a run; otherwise its own. */
  requestUuid: string;
  /** `Accept-Language`, for what people read. */
  languages: string | undefined;
  session: BrowserSession;
  /** Only the ETag of the answer is needed, within a transaction: what its `except` names may be left out. */
  isForTag?: true;
}

/** A request that works as it stands on the demo workspace (decision 102). */
export interface RouteExample {
  /** Only those that differ from `pathParameterExamples` (demo.ts). */
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  body?: object;
  /** The contents of the uploaded file. */
  file?: string;
  /** The request uses an object of the demo workspace up, or takes a unique value: it works once. */
  once?: boolean;
}

/** One endpoint. Checks, types and documentation all follow from this declaration. */
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
> extends RouteBody<Context, Path, Response, Params, Query, Body, File, Prefetched, Prepared> {
  method: Method;
  /** Below `/api/v2`, parameters in braces. */
  path: Path;
  tag: Tag;
  access: Access<Context>;
  response: Response;
}

/** What a declaration says besides the head of its resource (`resource.ts`). */
export interface RouteBody<
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
  /** Unique; generated clients use it as the name of the operation. */
  operationId: string;
  summary: string;
  description?: string;
  /**
   * The actions that its success records in an audit log, or why it records none. Required of routes that hand out what is not
   * bounded, make a credential, or change who may do or read what (test/api/http/audited-routes.test.ts).
   */
  audit?: readonly AuditAction[] | { not: string };
  /** Only if the schemas of the path's parameters do not follow from their names. */
  params?: Params;
  /** Coerced from text. Unknown parameters are refused, except from the carrier. */
  query?: Query;
  /** Unknown fields are refused, unless `consumes` is `form`. */
  body?: Body;
  /**
   * The format of the body. A carrier's callback is a form; `multipart` carries a file, and its fields are coerced; a `mail`
   * is the file; `anything` is passed over, up to 64 KiB, where callers send what says nothing new.
   */
  consumes?: File extends FileDeclaration ? 'multipart' | 'mail' : 'json' | 'form' | 'anything';
  /** The uploaded part `file`, or the whole body. */
  file?: File;
  /** Required if the route takes a body, or if a parameter needs another value than the demo's. */
  example?: RouteExample;
  /**
   * Whether the route honours Idempotency-Key: it then runs inside one transaction and must not wait for a run. The
   * default is true for POST routes that answer 201. `by_run`: it starts a run by `requestUuid` and waits for it, and a
   * repetition finds that run.
   */
  idempotent?: boolean | 'by_run';
  /** The answer contains a secret, so it is not stored. */
  secretAnswer?: boolean;
  /**
   * Makes the addresses of bytes in a stored answer anew, when it is repeated: they expire, and are stored nowhere. It
   * changes the answer.
   */
  renew?: (
    input: { context: Context; services: Services },
    answer: AnswerOr<Response['schema'], never>,
  ) => Promise<void>;
  /**
   * Waits for what the answer should tell and is known only once the request is committed, and changes the answer, also a stored
   * one. No transaction is open. It must be short, and must not fail.
   */
  afterCommit?: (
    input: { context: Context; services: Services; body: StaticOr<Body, undefined> },
    answer: AnswerOr<Response['schema'], never>,
  ) => Promise<void>;
  /** What its requests take turns for, beside large ones: they evaluate expressions, or search texts for seconds. */
  admission?: Extract<TurnName, 'evaluations' | 'searches'>;
  /**
   * The answer of this GET has an ETag, and `If-None-Match` is honoured. It does not depend on the fields in `except`, which
   * change by themselves.
   */
  etag?: boolean | { except: readonly string[] };
  /** How long anybody may use a copy of the answer, which is the same for every caller; absent: nobody may. */
  publicSeconds?: number;
  /** `If-Match` is honoured, with the ETag of `current`. The lock is the one that the operation itself takes first. */
  ifMatch?: {
    current: Route;
    lock: (input: { context: Context; params: StaticOr<Params, ParametersOf<Path>> }) => Promise<void>;
  };
  /** Error statuses besides those that follow from the rest of the declaration. */
  errors?: Readonly<Partial<Record<401 | 403 | 409 | 422 | 429 | 503, string>>>;
  /**
   * Queries that the handler of a member's route needs, sent with authentication, inside the workspace and before the
   * permission check. They must not depend on the caller, must all be sent at once, and must be bounded (decision 49).
   */
  prefetch?: (
    tx: EnteredTx,
    input: { params: StaticOr<Params, ParametersOf<Path>>; query: StaticOr<Query, Record<string, never>> },
  ) => Promise<Prefetched>;
  /**
   * Does what is outside the database and may be slow, such as storing an upload, before the handler and the transaction
   * of an Idempotency-Key (decisions 55 and 110). It runs before a repetition is recognised.
   */
  prepare?: (input: {
    context: Context;
    params: StaticOr<Params, ParametersOf<Path>>;
    body: StaticOr<Body, undefined>;
    file: File extends FileDeclaration ? UploadedFile : undefined;
    services: Services;
  }) => Promise<Prepared>;
  /** Gives back what was prepared when the request has failed or was a repetition. Must do nothing if it is in use. */
  giveBack?: (context: Context, prepared: Prepared) => Promise<void>;
  handler: (
    input: HandlerInput<
      Context,
      StaticOr<Params, ParametersOf<Path>>,
      StaticOr<Query, Record<string, never>>,
      StaticOr<Body, undefined>,
      File extends FileDeclaration ? UploadedFile : undefined,
      Response extends StreamDeclaration ? AbortSignal : AbortSignal | undefined,
      Prefetched,
      Prepared
    >,
  ) => Answer<Response, Context>;
}

/** A declaration without its type parameters. */
export type AnyDeclaration = Omit<
  RouteDeclaration<
    unknown,
    string,
    ResponseDeclaration,
    TObject,
    TObject | undefined,
    TSchema | undefined,
    FileDeclaration | undefined
  >,
  'prefetch' | 'prepare' | 'giveBack' | 'renew' | 'afterCommit' | 'handler' | 'ifMatch'
> & {
  prefetch?: (tx: EnteredTx, input: Pick<HandlerInput, 'params' | 'query'>) => Promise<unknown>;
  prepare?: (
    input: Pick<HandlerInput, 'context' | 'params' | 'body' | 'file' | 'services'>,
  ) => Promise<unknown>;
  giveBack?: (context: unknown, prepared: unknown) => Promise<void>;
  renew?: (input: Pick<HandlerInput, 'context' | 'services'>, answer: unknown) => Promise<void>;
  afterCommit?: (
    input: Pick<HandlerInput, 'context' | 'services' | 'body'>,
    answer: unknown,
  ) => Promise<void>;
  ifMatch?: { current: Route; lock: (input: Pick<HandlerInput, 'context' | 'params'>) => Promise<void> };
  handler: (input: HandlerInput) => Promise<unknown>;
};

/** A declared route with its defaults, and without its type parameters. */
export type Route = Readonly<AnyDeclaration & Required<Pick<AnyDeclaration, Defaulted>>>;
type Defaulted = 'params' | 'consumes' | 'idempotent' | 'secretAnswer' | 'etag' | 'errors';
