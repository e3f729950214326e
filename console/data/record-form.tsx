import { type ReactNode, useState } from 'react';
import { Form } from '../kit/field.js';
import { FieldInput, sentOf } from './field-input.js';
import type { DataRecord, DataType } from './queries.js';
import { useDataTexts } from './texts.js';

interface Props {
  type: DataType;
  record?: DataRecord;
  error: Error | null;
  isPending: boolean;
  /** What the button says that sends the form. */
  submit: string;
  /** Sends the values that were written. */
  onSubmit(fieldValues: Record<string, unknown>): void;
  /** What stands before the fields. */
  children?: ReactNode;
}

/** The form of a record, made of the fields of its type. */
export function RecordForm({ type, record, error, isPending, submit, onSubmit, children }: Props): ReactNode {
  const texts = useDataTexts();
  const [written, setWritten] = useState<Readonly<Record<string, unknown>>>({});
  const stored = record?.fieldValues ?? {};
  const fields = new Map(type.fields.map((field) => [field.slug, field]));
  const send = () => {
    const entries = Object.entries(written).flatMap(([slug, value]) => {
      const field = fields.get(slug);
      return field === undefined ? [] : [[slug, sentOf(field, value)] as const];
    });
    onSubmit(Object.fromEntries(entries));
  };
  return (
    <Form error={error} onSubmit={send}>
      {children}
      {type.fields.length === 0 ? <p className="quiet">{texts.noFields}</p> : null}
      {type.fields.map((field) => (
        <FieldInput
          key={field.slug}
          field={field}
          value={field.slug in written ? written[field.slug] : stored[field.slug]}
          files={record?.files}
          onChange={(value) => setWritten({ ...written, [field.slug]: value })}
        />
      ))}
      <p className="acts">
        <button type="submit" className="primary" disabled={isPending}>
          {submit}
        </button>
      </p>
    </Form>
  );
}
