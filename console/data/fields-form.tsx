import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { newUuid } from '../kit/new-uuid.js';
import styles from './data.module.css';
import { FieldForm } from './field-form.js';
import { type Field, fieldTypes } from './queries.js';
import { useDataTexts } from './texts.js';

/** A field as it is edited. */
export interface FieldRow {
  /** Names the row here, also while the field is moved and its slug is written. */
  key: string;
  /** Whether the type does not have it yet; the slug of one that it has stays. */
  isNew: boolean;
  field: Field;
}

/** The rows of stored fields; those that were edited before stay the same rows. */
export const rowsOf = (fields: readonly Field[], before: readonly FieldRow[] = []): FieldRow[] =>
  fields.map((field, index) => ({ key: before[index]?.key ?? newUuid(), isNew: false, field }));

interface Props {
  rows: readonly FieldRow[];
  onChange(rows: readonly FieldRow[]): void;
}

/** The fields of a type, in their order. */
export function FieldsForm({ rows, onChange }: Props): ReactNode {
  const texts = useDataTexts();
  const { data: types = [], error } = useQuery(fieldTypes);
  const [opened, setOpened] = useState<string>();
  const move = (from: number, to: number) => {
    const row = rows[from];
    if (row !== undefined) onChange(rows.toSpliced(from, 1).toSpliced(to, 0, row));
  };
  return (
    <>
      <ErrorNotice error={error} />
      {rows.length === 0 ? <p className="quiet">{texts.noFields}</p> : null}
      {rows.map(({ key, isNew, field }, index) => (
        <details key={key} className={styles.field} open={opened === key}>
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
            isNew={isNew}
            onChange={(changed) => onChange(rows.with(index, { key, isNew, field: changed }))}
          />
          <p className="acts">
            <button type="button" disabled={index === 0} onClick={() => move(index, index - 1)}>
              {texts.moveUp}
            </button>
            <button type="button" disabled={index === rows.length - 1} onClick={() => move(index, index + 1)}>
              {texts.moveDown}
            </button>
            <button type="button" className="danger" onClick={() => onChange(rows.toSpliced(index, 1))}>
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
            const key = newUuid();
            setOpened(key);
            onChange([...rows, { key, isNew: true, field: { slug: '', name: '', fieldType: 'text' } }]);
          }}
        >
          {texts.addField}
        </button>
      </p>
    </>
  );
}
