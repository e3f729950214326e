import { HttpFailure } from './serve.js';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rejects unknown fields, so that a misspelt knob makes the test fail. @throws HttpFailure 400 */
export function objectWith(value: unknown, fields: readonly string[]): JsonObject {
  if (!isObject(value)) throw new HttpFailure(400, { error: 'The body has to be an object.' });
  const unknown = Object.keys(value).filter((key) => !fields.includes(key));
  if (unknown.length > 0) {
    throw new HttpFailure(400, { error: `Unknown: ${unknown.join(', ')}. Known: ${fields.join(', ')}.` });
  }
  return value;
}
