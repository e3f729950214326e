import Type, { type TSchema } from 'typebox';
import { namePattern } from './names.js';

/** What schemas of the service are made of, whoever has them. Strings have bounds, always. */

/** An id: in a path, in a body, in an answer. Ids that cannot exist are 404 in a path, 400 in a body. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id' });

export const Uuid = Type.String({ format: 'uuid', minLength: 36, maxLength: 36 });

/** A name that people read, of `maxLength` characters at most. */
export function Name(maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, pattern: namePattern });
}

/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 40, description: 'ISO 8601, UTC' });

/** `YYYY-MM-DD`. */
export const DateOnly = Type.String({ format: 'date', maxLength: 10, description: 'YYYY-MM-DD' });

/** The schema, or null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** One of these words. */
export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}
