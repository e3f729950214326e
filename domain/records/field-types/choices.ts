import { exceeds } from '../../lib/characters.js';
import { isStorable } from './texts.js';
import {
  byChoices,
  bySearchedText,
  type FieldDefinition,
  type FieldTypeRules,
  invalid,
  optionValues,
  valid,
} from './types.js';

const maxOptionLength = 200;
export const maxChoices = 100;

/** One of the field's options; a select without options accepts any short text. */
export const select: FieldTypeRules = {
  bounded: null,
  takesOptions: true,
  index: bySearchedText,
  normalize: (value, field) => (isChoice(value, field) ? valid(value) : invalid(choiceMessage(field))),
  schema: choiceSchema,
};

export const multiselect: FieldTypeRules = {
  bounded: 'count',
  takesOptions: true,
  index: byChoices,
  normalize(value, field) {
    if (!Array.isArray(value) || value.length > maxChoices) return invalid('must be a list of choices');
    if (!value.every((item) => isChoice(item, field))) return invalid(`each ${choiceMessage(field)}`);
    return valid([...new Set(value)]);
  },
  schema: (field) => ({
    type: 'array',
    items: choiceSchema(field),
    uniqueItems: true,
    minItems: typeof field.min === 'number' ? field.min : 0,
    maxItems: typeof field.max === 'number' ? field.max : maxChoices,
  }),
};

function isChoice(value: unknown, field: FieldDefinition): boolean {
  if (typeof value !== 'string' || value.length === 0 || exceeds(value, maxOptionLength)) return false;
  const options = optionValues(field);
  return options.length === 0 ? isStorable(value) : options.includes(value);
}

function choiceMessage(field: FieldDefinition): string {
  const options = optionValues(field);
  return options.length === 0 ? 'must be a short text' : `must be one of ${options.join(', ')}`;
}

function choiceSchema(field: FieldDefinition) {
  const options = optionValues(field);
  return options.length === 0
    ? { type: 'string', minLength: 1, maxLength: maxOptionLength }
    : { type: 'string', enum: options };
}
