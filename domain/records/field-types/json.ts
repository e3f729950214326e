import { isStorable } from './texts.js';
import { type FieldTypeRules, invalid, valid } from './types.js';

const maxLength = 16_384;
const maxDepth = 20;

export const json: FieldTypeRules = {
  bounded: null,
  index: null,
  normalize(value) {
    if (!isStorableJson(value, maxDepth)) return invalid('must be JSON that is not nested too deep');
    const text = JSON.stringify(value);
    if (text.length > maxLength) return invalid(`must have at most ${maxLength} characters`);
    // Serialize as the database does: parsed JSON may hold a negative zero, which is written as 0.
    return valid(JSON.parse(text));
  },
  schema: () => ({}),
};

function isStorableJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || depth === 0) return false;
  const items = Array.isArray(value) ? value : Object.values(value);
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return keys.every(isStorable) && items.every((item) => isStorableJson(item, depth - 1));
}
