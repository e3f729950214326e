import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import styles from './data.module.css';
import { FieldForm } from './field-form.js';
import { type Field, fieldTypes } from './queries.js';
import { useDataTexts } from './texts.js';

interface Props {
  fields: readonly Field[];
  /** The fields that the type has; their slugs stay. */
  stored: readonly Field[];
  onChange(fields: readonly Field[]): void;
}

/** The fields of a type, in their order. */
export function FieldsForm({ fields, stored, onChange }: Props): ReactNode {
  const texts = useDataTexts();
  const { data: types = [], error } = useQuery(fieldTypes);
  const known = new Set(stored.map(({ slug }) => slug));
  const [opened, setOpened] = useState<number>();
  const move = (from: number, to: number) => {
    const moved = fields.toSpliced(from, 1);
    const field = fields[from];
    if (field !== undefined) onChange(moved.toSpliced(to, 0, field));
  };
  return (
    <>
      <ErrorNotice error={error} />
      {fields.length === 0 ? <p className="quiet">{texts.noFields}</p> : null}
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else names a field while its slug is written.
        <details key={index} className={styles.field} open={opened === index}>
          <summary>
            <strong>{field.name === '' ? texts.newField : field.name}</strong>{' '}
            <span className="quiet">
              {types.find(({ name }) => name === field.fieldType)?.label ?? field.fieldType}
            </span>
          </summary>
          <FieldForm
            field={field}
            at={`/fields/${index}`}
            types={types}
            isNew={!known.has(field.slug)}
            onChange={(changed) => onChange(fields.with(index, changed))}
          />
          <p className="acts">
            <button type="button" disabled={index === 0} onClick={() => move(index, index - 1)}>
              {texts.moveUp}
            </button>
            <button
              type="button"
              disabled={index === fields.length - 1}
              onClick={() => move(index, index + 1)}
            >
              {texts.moveDown}
            </button>
            <button type="button" className="danger" onClick={() => onChange(fields.toSpliced(index, 1))}>
              {texts.removeField}
            </button>
            <span className="quiet">{texts.removeFieldWhy}</span>
          </p>
        </details>
      ))}
      <p className="acts">
        <button
          type="button"
          onClick={() => {
            setOpened(fields.length);
            onChange([...fields, { slug: '', name: '', fieldType: 'text' }]);
          }}
        >
          {texts.addField}
        </button>
      </p>
    </>
  );
}
