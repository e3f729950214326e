import type { ReactNode } from 'react';
import { MemberName } from '../kit/member-picker.js';
import { At } from '../kit/times.js';
import { filled, useLocale } from '../texts/texts.js';
import type { DataRecord, Field } from './queries.js';
import { useDataTexts } from './texts.js';

type Files = DataRecord['files'];

/** The words of a choice of a field. */
export function labelOf({ options = [] }: Field, value: string): string {
  for (const option of options) {
    if (typeof option !== 'string' && option.value === value) return option.label ?? value;
  }
  return value;
}

/** The value of a field as people read it. */
export function FieldValue({
  field,
  value,
  files,
}: {
  field: Field;
  value: unknown;
  files?: Files;
}): ReactNode {
  const texts = useDataTexts();
  const locale = useLocale();
  if (value === undefined || value === null || value === '')
    return <span className="quiet">{texts.nothing}</span>;
  switch (field.fieldType) {
    case 'boolean':
      return value === true ? texts.yes : texts.no;
    case 'date':
      return new Date(`${value}T00:00`).toLocaleDateString(locale, { dateStyle: 'medium' });
    case 'datetime':
      return <At at={String(value)} withDay />;
    case 'number':
    case 'integer':
      return typeof value === 'number'
        ? value.toLocaleString(locale, { maximumFractionDigits: 20 })
        : String(value);
    case 'select':
      return labelOf(field, String(value));
    case 'multiselect':
      return listOf(value)
        .map((one) => labelOf(field, String(one)))
        .join(', ');
    case 'member':
      return <MemberName id={Number(value)} />;
    case 'file':
    case 'files':
      return listOf(value)
        .map(
          (id) =>
            files?.find((file) => file.id === id)?.title ?? filled(texts.deletedFile, { id: Number(id) }),
        )
        .join(', ');
    case 'json':
      return <code>{JSON.stringify(value)}</code>;
    default:
      return <span dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</span>;
  }
}

export const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};
