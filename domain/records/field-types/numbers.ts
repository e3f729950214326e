import { byFile, byNumber, byText } from './index-rules.js';
import { type FieldDefinition, type FieldTypeRules, invalid, valid } from './types.js';

export const number: FieldTypeRules = {
  bounded: 'number',
  takesPattern: false,
  takesOptions: false,
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
    Number.isSafeInteger(value) ? valid(unsigned(Number(value))) : invalid('must be a whole number'),
  schema: (field) => ({ type: 'integer', ...bounds(field) }),
};

export const boolean: FieldTypeRules = {
  bounded: null,
  takesPattern: false,
  takesOptions: false,
  index: byText,
  normalize: (value) => (typeof value === 'boolean' ? valid(value) : invalid('must be true or false')),
  schema: () => ({ type: 'boolean' }),
};

/** An id of a member; whether it exists is looked up by the command that stores it. */
export const member: FieldTypeRules = {
  bounded: null,
  takesPattern: false,
  takesOptions: false,
  index: byNumber,
  normalize: (value) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? valid(value) : invalid('must be an id'),
  schema: () => ({ type: 'integer', minimum: 1 }),
};

/** An id of a file, likewise. */
export const file: FieldTypeRules = { ...member, index: byFile };

/** JSON as it is stored has one zero. */
function unsigned(value: number): number {
  return value === 0 ? 0 : value;
}

function bounds(field: FieldDefinition): { minimum?: number; maximum?: number } {
  return {
    ...(typeof field.min === 'number' ? { minimum: field.min } : {}),
    ...(typeof field.max === 'number' ? { maximum: field.max } : {}),
  };
}
