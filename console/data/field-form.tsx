import type { ReactNode } from 'react';
import { InputField, SelectField, TextAreaField } from '../kit/field.js';
import styles from './data.module.css';
import type { Field, FieldType } from './queries.js';
import { slugOf } from './slug.js';
import { useDataTexts } from './texts.js';

interface Props {
  field: Field;
  /** Where the field is in the request, for the errors of the API. */
  at: string;
  types: readonly FieldType[];
  isNew: boolean;
  onChange(field: Field): void;
}

const days = new Set<string>(['date', 'time', 'datetime']);
const byKeys = new Set<string>(['text', 'number', 'integer']);

/** The definition of one field, with what its type takes. */
export function FieldForm({ field, at, types, isNew, onChange }: Props): ReactNode {
  const texts = useDataTexts();
  const type = types.find(({ name }) => name === field.fieldType);
  const set = (changes: { [Name in keyof Field]?: Field[Name] | undefined }) => {
    const entries = Object.entries({ ...field, ...changes }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(entries) as unknown as Field);
  };
  const box = (name: 'required' | 'shouldIndex' | 'unique' | 'sensitive') => (
    <label>
      <input
        type="checkbox"
        checked={field[name] ?? false}
        onChange={({ target }) => set({ [name]: target.checked || undefined })}
      />{' '}
      {texts[name]}
    </label>
  );
  const bound = (name: 'min' | 'max') => (
    <InputField
      label={texts[name]}
      pointer={`${at}/${name}`}
      hint={texts.boundHint}
      value={field[name] ?? ''}
      onChange={({ target }) => set({ [name]: boundOf(field, target.value) })}
    />
  );
  return (
    <div className={styles.fieldForm}>
      <InputField
        label={texts.name}
        pointer={`${at}/name`}
        value={field.name}
        onChange={({ target: { value } }) => {
          const isGuessed = isNew && field.slug === slugOf(field.name);
          set({ name: value, ...(isGuessed ? { slug: slugOf(value) } : {}) });
        }}
      />
      <InputField
        label={texts.fieldSlug}
        pointer={`${at}/slug`}
        hint={texts.fieldSlugHint}
        readOnly={!isNew}
        value={field.slug}
        onChange={({ target }) => set({ slug: target.value })}
      />
      <SelectField
        label={texts.fieldType}
        pointer={`${at}/fieldType`}
        hint={isNew ? type?.description : texts.fieldTypeHint}
        value={field.fieldType}
        onChange={({ target }) => {
          const { slug, name, description, required, options } = field;
          // What bounds values of one type means nothing to another; choices are choices.
          const fieldType = target.value as Field['fieldType'];
          const keepsOptions = types.find((one) => one.name === fieldType)?.takesOptions === true;
          onChange({
            slug,
            name,
            fieldType,
            ...(description && { description }),
            ...(required && { required }),
            ...(keepsOptions && options && { options }),
          });
        }}
      >
        {types.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <InputField
        label={texts.description}
        pointer={`${at}/description`}
        hint={texts.descriptionHint}
        value={field.description ?? ''}
        onChange={({ target }) => set({ description: target.value || undefined })}
      />
      {type?.takesOptions === true ? (
        <TextAreaField
          key={field.fieldType}
          label={texts.options}
          pointer={`${at}/options`}
          hint={texts.optionsHint}
          rows={4}
          defaultValue={optionsText(field.options)}
          onChange={({ target }) => set({ options: optionsOf(target.value) })}
        />
      ) : null}
      {type?.isBounded === true ? (
        <>
          {bound('min')}
          {bound('max')}
        </>
      ) : null}
      {type?.takesPattern === true ? (
        <InputField
          label={texts.pattern}
          pointer={`${at}/pattern`}
          value={field.pattern ?? ''}
          onChange={({ target }) => set({ pattern: target.value || undefined })}
        />
      ) : null}
      <div className={styles.boxes}>
        {box('required')}
        {type?.canBeIndexed === true ? box('shouldIndex') : null}
        {type?.canBeUnique === true ? box('unique') : null}
        {byKeys.has(field.fieldType) ? box('sensitive') : null}
      </div>
    </div>
  );
}

/** A bound is a number, or of a day or time a text. */
function boundOf({ fieldType }: Field, text: string): number | string | undefined {
  if (text === '') return undefined;
  const isNumber = !days.has(fieldType) && text.trim() !== '' && !Number.isNaN(Number(text));
  // While somebody writes `0.`, it stays what was written.
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

function optionsText(options: Field['options'] = []): string {
  return options
    .map((one) =>
      typeof one === 'string' ? one : one.label === undefined ? one.value : `${one.value} = ${one.label}`,
    )
    .join('\n');
}

function optionsOf(text: string): Field['options'] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return undefined;
  return lines.map((line) => {
    const [value = '', ...label] = line.split(' = ');
    return label.length === 0 ? value : { value: value.trim(), label: label.join(' = ').trim() };
  });
}
