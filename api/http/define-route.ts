import Type, { type TObject, type TSchema } from 'typebox';
import type { AnyDeclaration, ResponseDeclaration, Route, RouteDeclaration } from './route.js';
import { Id, Uuid } from './schemas.js';
import type { FileDeclaration } from './uploads/uploaded-file.js';

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
  return {
    consumes: 'json',
    idempotent: createsAsSomebody(declared),
    secretAnswer: false,
    etag: false,
    errors: {},
    ...declared,
    params: declared.params ?? pathParameterSchemas(declared.path),
    // A route with a file but no body schema accepts no other fields.
    body: declared.body ?? (declared.consumes === 'multipart' ? Type.Object({}) : undefined),
  };
}

/** Keys are scoped to the caller. */
function createsAsSomebody({ method, response, access }: AnyDeclaration): boolean {
  const creates = method === 'POST' && response.status === 201;
  return creates && ['member', 'account'].includes(access.kind);
}

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** The schemas of a path's parameters, by their names: `_id` integers, `_uuid` UUIDs, others text. */
function pathParameterSchemas(path: string): TObject {
  const text = Type.String({ minLength: 1, maxLength: 200 });
  const schemaOf = (name: string): TSchema =>
    name.endsWith('_id') ? Id : name.endsWith('_uuid') ? Uuid : text;
  return Type.Object(Object.fromEntries(parameterNames(path).map((name) => [name, schemaOf(name)])));
}
