import type { ReactNode } from 'react';
import { Field, InputField, SelectField, TextAreaField } from '../kit/field.js';
import { MemberPicker } from '../kit/member-picker.js';
import styles from './data.module.css';
import { FileInput } from './file-input.js';
import type { DataRecord, Field as FieldOfType } from './queries.js';
import { useDataTexts } from './texts.js';
import { labelOf, listOf } from './value.js';

interface Props {
  field: FieldOfType;
  /** As the record stores it, or as it was written. */
  value: unknown;
  files: DataRecord['files'];
  onChange(value: unknown): void;
}

const inputTypes: Partial<Record<FieldOfType['fieldType'], string>> = {
  date: 'date',
  time: 'time',
  datetime: 'datetime-local',
  email: 'email',
  phone: 'tel',
  url: 'url',
};
const numbers = new Set<string>(['number', 'integer']);

/** The control of a field, by its type. What is written stays text until it is sent (`sentOf`). */
export function FieldInput({ field, value, files, onChange }: Props): ReactNode {
  const texts = useDataTexts();
  const { name, fieldType, description, required = false, options = [] } = field;
  const shared = {
    label: required ? `${name} *` : name,
    pointer: `/fieldValues/${field.slug}`,
    ...(description === undefined ? {} : { hint: description }),
  };
  const text = textOf(field, value);
  const values = options.map((option) => (typeof option === 'string' ? option : option.value));
  const onText = ({ target }: { target: { value: string } }) => onChange(target.value);
  if (fieldType === 'boolean' || (fieldType === 'select' && values.length > 0)) {
    const choices = fieldType === 'boolean' ? ['true', 'false'] : values;
    const words = (one: string) =>
      fieldType === 'boolean' ? (one === 'true' ? texts.yes : texts.no) : labelOf(field, one);
    return (
      <SelectField {...shared} value={text} onChange={onText}>
        <option value="">{texts.nothing}</option>
        {choices.map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </SelectField>
    );
  }
  if (fieldType === 'multiselect' && values.length > 0) {
    const chosen = listOf(value);
    return (
      <Field {...shared}>
        {(control) => (
          <fieldset id={control.id} aria-label={name} className={styles.boxes}>
            {values.map((one) => (
              <label key={one}>
                <input
                  type="checkbox"
                  checked={chosen.includes(one)}
                  onChange={({ target }) =>
                    onChange(
                      values.filter((other) => (other === one ? target.checked : chosen.includes(other))),
                    )
                  }
                />{' '}
                {labelOf(field, one)}
              </label>
            ))}
          </fieldset>
        )}
      </Field>
    );
  }
  if (fieldType === 'member') {
    return (
      <MemberPicker
        {...shared}
        value={value == null ? undefined : Number(value)}
        onChange={(id) => onChange(id ?? null)}
        isOptional
      />
    );
  }
  if (fieldType === 'file' || fieldType === 'files') {
    return (
      <Field {...shared}>
        {({ id = '' }) => <FileInput id={id} field={field} value={value} files={files} onChange={onChange} />}
      </Field>
    );
  }
  if (fieldType === 'textarea' || fieldType === 'json') {
    return (
      <TextAreaField
        {...shared}
        rows={4}
        spellCheck={fieldType === 'textarea'}
        value={text}
        onChange={onText}
      />
    );
  }
  return (
    <InputField
      {...shared}
      {...(fieldType === 'multiselect' ? { hint: texts.listHint } : {})}
      // The API says what it has against a value, in the form that it stores.
      type={inputTypes[fieldType] ?? 'text'}
      inputMode={numbers.has(fieldType) ? 'decimal' : undefined}
      step={fieldType === 'time' ? 1 : undefined}
      value={text}
      onChange={onText}
    />
  );
}

/** What stands in the control for a stored value. */
function textOf({ fieldType }: FieldOfType, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string')
    return fieldType === 'datetime' && value.endsWith('Z') ? localTime(value) : value;
  if (fieldType === 'multiselect') return listOf(value).join(', ');
  return fieldType === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

function localTime(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The value as the API takes it; what cannot be one stays text, which the API refuses at its field. */
export function sentOf({ fieldType, options = [] }: FieldOfType, value: unknown): unknown {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (fieldType) {
    case 'number':
    case 'integer':
      return text === '' || Number.isNaN(Number(text)) ? value : Number(text);
    case 'boolean':
      return text === 'true';
    case 'datetime':
      return text.endsWith('Z') || Number.isNaN(Date.parse(text)) ? value : new Date(text).toISOString();
    case 'multiselect':
      return options.length > 0
        ? value
        : text
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean);
    case 'json':
      return parsed(value);
    default:
      return value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
