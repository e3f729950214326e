import { type FieldDefinition, type FieldTypeRules, invalid, valid } from './types.js';

export const number: FieldTypeRules = {
  bounded: 'number',
  takesPattern: false,
  takesOptions: false,
  normalize: (value) =>
    typeof value === 'number' && Number.isFinite(value) ? valid(value) : invalid('must be a number'),
  schema: (field) => ({ type: 'number', ...bounds(field) }),
};

export const integer: FieldTypeRules = {
  ...number,
  normalize: (value) => (Number.isSafeInteger(value) ? valid(value) : invalid('must be a whole number')),
  schema: (field) => ({ type: 'integer', ...bounds(field) }),
};

export const boolean: FieldTypeRules = {
  bounded: null,
  takesPattern: false,
  takesOptions: false,
  normalize: (value) => (typeof value === 'boolean' ? valid(value) : invalid('must be true or false')),
  schema: () => ({ type: 'boolean' }),
};

/** An id of something in the workspace; whether it exists is looked up by the command that stores it. */
export const reference: FieldTypeRules = {
  bounded: null,
  takesPattern: false,
  takesOptions: false,
  normalize: (value) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? valid(value) : invalid('must be an id'),
  schema: () => ({ type: 'integer', minimum: 1 }),
};

function bounds(field: FieldDefinition): { minimum?: number; maximum?: number } {
  return {
    ...(typeof field.min === 'number' ? { minimum: field.min } : {}),
    ...(typeof field.max === 'number' ? { maximum: field.max } : {}),
  };
}
