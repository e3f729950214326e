import { byNumber, byText, type FieldDefinition, type FieldTypeRules, invalid, valid } from './types.js';

export const number: FieldTypeRules = {
  bounded: 'number',
  index: byNumber,
  normalize: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? valid(unsigned(value))
      : invalid('must be a number'),
  schema: (field) => ({ type: 'number', ...bounds(field) }),
};

export const integer: FieldTypeRules = {
  ...number,
  normalize: (value) =>
    Number.isSafeInteger(value) ? valid(unsigned(Number(value))) : invalid(whyNoInteger(value)),
  schema: (field) => ({ type: 'integer', ...bounds(field) }),
};

/** A larger number has lost its last digits before it is checked. */
function whyNoInteger(value: unknown): string {
  const most = Number.MAX_SAFE_INTEGER;
  return Number.isInteger(value) ? `must be between -${most} and ${most}` : 'must be a whole number';
}

export const boolean: FieldTypeRules = {
  bounded: null,
  index: byText,
  normalize: (value) => (typeof value === 'boolean' ? valid(value) : invalid('must be true or false')),
  schema: () => ({ type: 'boolean' }),
};

/** The id of a member. The command that stores it checks that the member exists. */
export const member: FieldTypeRules = {
  bounded: null,
  index: byNumber,
  normalize: (value) => (isId(value) ? valid(value) : invalid('must be an id')),
  schema: () => ({ type: 'integer', minimum: 1 }),
};

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Converts negative zero to 0, as stored JSON does. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}

function bounds(field: FieldDefinition): { minimum?: number; maximum?: number } {
  return {
    ...(typeof field.min === 'number' ? { minimum: field.min } : {}),
    ...(typeof field.max === 'number' ? { maximum: field.max } : {}),
  };
}
