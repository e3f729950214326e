import Type, { type TObject, type TSchema } from 'typebox';
import { Id, Uuid } from './schemas.js';

const text = Type.String({ minLength: 1, maxLength: 200 });

/** The names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** The schemas of a path's parameters, by their names: `_id` integers, `_uuid` UUIDs, others text. */
export function pathParameterSchemas(path: string): TObject {
  const schemaOf = (name: string): TSchema =>
    name.endsWith('_id') ? Id : name.endsWith('_uuid') ? Uuid : text;
  return Type.Object(Object.fromEntries(parameterNames(path).map((name) => [name, schemaOf(name)])));
}
