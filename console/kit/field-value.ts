import type { Schemas } from './api.js';

type Field = Schemas['FieldDefinition'];

/** A value of a field of a record in words; undefined: there is none. */
export function fieldValueText(
  { options }: Pick<Field, 'options'>,
  value: unknown,
  texts: { yes: string; no: string },
): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value))
    return value.map((one) => fieldValueText({ options }, one, texts)).join(', ') || undefined;
  if (typeof value === 'object') return JSON.stringify(value);
  const option = options?.find((one) => typeof one === 'object' && one.value === value);
  return (typeof option === 'object' ? option.label : undefined) ?? String(value);
}
