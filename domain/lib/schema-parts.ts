import Type, { type TSchema } from 'typebox';
import { namePattern } from './names.js';

/** Parts that the schemas of the service share. Every string has a maximum length. */

/** An id in a path, a body or a response. An id that cannot exist gives 404 in a path and 400 in a body. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const Uuid = Type.String({ format: 'uuid', minLength: 36, maxLength: 36 });

export function Name(maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, pattern: namePattern });
}

/** A phone number as it is configured, in full. https://www.itu.int/rec/T-REC-E.164 */
export function E164(description: string, example: string) {
  return Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', maxLength: 16, description, examples: [example] });
}

export const Timestamp = Type.String({ format: 'date-time', maxLength: 40 });

export const DateOnly = Type.String({ format: 'date', maxLength: 10 });

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}
