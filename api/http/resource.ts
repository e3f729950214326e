import type { TObject, TSchema } from 'typebox';
import type { Access } from './access.js';
import { defineRoute } from './define-route.js';
import type { Method, Route, RouteBody } from './route.js';
import type { Tag } from './tags.js';
import type { FileDeclaration } from './uploads/uploaded-file.js';

/** What the routes of a resource have in common. */
interface Head<Path extends string, Reader, Writer> {
  tag: Tag;
  /** Below `/api/v2`: the paths of its routes begin with it. */
  path: Path;
  /** Who may read, and who may do anything else. A route may say otherwise. */
  read: Access<Reader>;
  write: Access<Writer>;
}

/**
 * The head of a resource: tag, path and access of its routes stand in it once, method and status follow from the verb
 * with which a route is declared. A route of another form uses `defineRoute`.
 */
export function resource<const Path extends string, Reader, Writer>(head: Head<Path, Reader, Writer>) {
  const verb = (method: Method, status: 200 | 201 | 204) => {
    const access = method === 'GET' ? head.read : head.write;
    return (...given: [Declared] | [string, Declared]): Route => {
      const [below, declaration] = given.length === 1 ? ['', given[0]] : given;
      const { response: schema, ...rest } = declaration;
      const response = schema === undefined ? { status } : { status, schema };
      const { tag, path } = head;
      return defineRoute({ access, ...rest, method, tag, path: path + below, response } as never);
    };
  };
  return {
    /** GET, 200. */
    list: verb('GET', 200) as Verb<Path, Reader, 200>,
    get: verb('GET', 200) as Verb<Path, Reader, 200>,
    /** POST, 201. */
    create: verb('POST', 201) as Verb<Path, Writer, 201>,
    /** PUT, 200. */
    update: verb('PUT', 200) as Verb<Path, Writer, 200>,
    /** POST, 200: what is none of these. */
    act: verb('POST', 200) as Verb<Path, Writer, 200>,
    /** DELETE, 204. */
    remove: verb('DELETE', 204) as Removal<Path, Writer>,
  };
}

interface Declared {
  response?: TSchema;
}

/** Declares a route that answers with the schema `response`, at the path of the resource or below it. */
interface Verb<Path extends string, Caller, Status extends 200 | 201> {
  <
    Schema extends TSchema,
    Context = Caller,
    Params extends TObject | undefined = undefined,
    Query extends TObject | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    File extends FileDeclaration | undefined = undefined,
    Prefetched = undefined,
    Prepared = undefined,
  >(
    declaration: Answering<Schema, Context> &
      RouteBody<Context, Path, Answer<Status, Schema>, Params, Query, Body, File, Prefetched, Prepared>,
  ): Route;
  <
    const Below extends string,
    Schema extends TSchema,
    Context = Caller,
    Params extends TObject | undefined = undefined,
    Query extends TObject | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    File extends FileDeclaration | undefined = undefined,
    Prefetched = undefined,
    Prepared = undefined,
  >(
    below: Below,
    declaration: Answering<Schema, Context> &
      RouteBody<
        Context,
        `${Path}${Below}`,
        Answer<Status, Schema>,
        Params,
        Query,
        Body,
        File,
        Prefetched,
        Prepared
      >,
  ): Route;
}

interface Answering<Schema, Context> {
  access?: Access<Context>;
  response: Schema;
}

interface Answer<Status extends 200 | 201, Schema extends TSchema> {
  status: Status;
  schema: Schema;
}

type Removal<Path extends string, Caller> = <
  const Below extends string,
  Context = Caller,
  Params extends TObject | undefined = undefined,
>(
  below: Below,
  declaration: { access?: Access<Context> } & RouteBody<
    Context,
    `${Path}${Below}`,
    { status: 204 },
    Params,
    undefined,
    undefined
  >,
) => Route;
