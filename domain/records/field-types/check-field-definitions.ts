import { exceeds } from '../../lib/characters.js';
import type { FieldError } from '../../lib/errors.js';
import { isName, nameForm } from '../../lib/names.js';
import { checkPattern } from '../../lib/safe-pattern.js';
import { parseDate, parseDatetime, parseTime } from './dates.js';
import { fieldTypes, isFieldType } from './index.js';
import { type Bounded, type FieldDefinition, fieldTypeNames, optionValues } from './types.js';

const slugShape = /^[a-z0-9](?:[a-z0-9_-]{0,62})$/i;
/** Names that every object inherits (`toString`, …): a lookup by such a slug would find the wrong value. */
const reservedSlugs = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);
const slugForm = 'A slug has 1 to 63 letters, digits, _ and -, and is no name that every object has';
/** The types whose values digits can be. */
const enteredByKeys: ReadonlySet<string> = new Set(['text', 'number', 'integer']);
const maxFields = 200;
const maxOptions = 500;

/** Checks a data type's field definitions and returns the errors; pointers lead into the request's `fields`. */
export function checkFieldDefinitions(fields: readonly FieldDefinition[]): FieldError[] {
  if (fields.length > maxFields) {
    return [{ pointer: '/fields', message: `A data type has at most ${maxFields} fields` }];
  }
  const seen = new Set<string>();
  return fields.flatMap((field, index) => {
    const errors = checkField(field);
    if (seen.has(field.slug)) errors.push({ pointer: '/slug', message: 'Another field has this slug' });
    seen.add(field.slug);
    return errors.map((error) => ({ pointer: `/fields/${index}${error.pointer}`, message: error.message }));
  });
}

function checkField(field: FieldDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const report = (pointer: string, message: string) => errors.push({ pointer, message });
  if (!slugShape.test(field.slug) || reservedSlugs.has(field.slug)) report('/slug', slugForm);
  if (field.name === '' || exceeds(field.name, 200)) report('/name', 'A name has 1 to 200 characters');
  else if (!isName(field.name)) report('/name', `A name ${nameForm}`);
  if (!isFieldType(field.fieldType)) {
    report('/fieldType', `Must be one of ${fieldTypeNames.join(', ')}`);
    return errors;
  }
  const rules = fieldTypes[field.fieldType];
  errors.push(...checkBounds(field, rules.bounded));
  if (field.pattern !== undefined) {
    const checked = rules.takesPattern ? checkPattern(field.pattern) : null;
    if (checked === null) errors.push(unfitting('/pattern', field));
    else if (!checked.ok) report('/pattern', `The pattern ${checked.message}`);
  }
  for (const rule of ['shouldIndex', 'unique'] as const) {
    const takes = rule === 'unique' ? rules.index?.takesUnique === true : rules.index !== null;
    if (field[rule] === true && !takes) errors.push(unfitting(`/${rule}`, field));
  }
  if (field.sensitive === true && !enteredByKeys.has(field.fieldType)) {
    errors.push(unfitting('/sensitive', field));
  }
  if (field.options !== undefined) {
    errors.push(...(rules.takesOptions ? checkOptions(field) : [unfitting('/options', field)]));
  }
  return errors;
}

function checkBounds(field: FieldDefinition, bounded: Bounded): FieldError[] {
  const errors = (['min', 'max'] as const).flatMap((key): FieldError[] => {
    const [bound, pointer] = [field[key], `/${key}`];
    if (bound === undefined) return [];
    if (bounded === null) return [unfitting(pointer, field)];
    const { form, accepts } = bounds[bounded];
    return accepts(bound) ? [] : [{ pointer, message: `Must be ${form}` }];
  });
  if (errors.length === 0 && field.min !== undefined && field.max !== undefined && field.min > field.max) {
    errors.push({ pointer: '/max', message: 'Must not be less than min' });
  }
  return errors;
}

const wholeNumber = {
  form: 'a whole number, not below 0',
  accepts: (bound: unknown) => Number.isSafeInteger(bound) && Number(bound) >= 0,
};

const bounds: Record<NonNullable<Bounded>, { form: string; accepts: (bound: unknown) => boolean }> = {
  number: { form: 'a number', accepts: (bound) => Number.isFinite(bound) },
  length: wholeNumber,
  count: wholeNumber,
  date: stored('a date as YYYY-MM-DD', parseDate),
  time: stored('a time as HH:MM', parseTime),
  datetime: stored('a moment as 2030-01-31T12:00:00.000Z', parseDatetime),
};

/** Bounds are compared with stored texts, so they have their form. */
function stored(form: string, parse: (text: string) => string | null) {
  return { form, accepts: (bound: unknown) => typeof bound === 'string' && parse(bound) === bound };
}

function checkOptions(field: FieldDefinition): FieldError[] {
  const values = optionValues(field);
  if (values.length === 0 || values.length > maxOptions) {
    return [{ pointer: '/options', message: `A ${field.fieldType} has 1 to ${maxOptions} options` }];
  }
  return values.flatMap((value, index) => {
    const duplicate = values.indexOf(value) !== index;
    if (value.trim() !== '' && !exceeds(value, 200) && !duplicate) return [];
    const message = duplicate ? 'Is there already' : 'Has 1 to 200 characters';
    return [{ pointer: `/options/${index}`, message }];
  });
}

function unfitting(pointer: string, field: FieldDefinition): FieldError {
  return { pointer, message: `A field of type ${field.fieldType} does not take this` };
}
