import type { ReactNode } from 'react';
import { Form } from '../kit/field.js';
import { FieldInput, sentOf } from './field-input.js';
import type { DataRecord, DataType } from './queries.js';
import type { RecordDraft } from './record-draft.js';
import { useDataTexts } from './texts.js';

interface Props {
  type: DataType;
  record?: DataRecord;
  draft: RecordDraft;
  error: Error | null;
  isPending: boolean;
  /** What the button says that sends the form. */
  submit: string;
  onSubmit(): void;
  /** What stands before the fields. */
  children?: ReactNode;
}

/** The form of a record, made of the fields of its type. */
export function RecordForm(props: Props): ReactNode {
  const { type, record, draft, error, isPending, submit, onSubmit, children } = props;
  const texts = useDataTexts();
  const values = { ...record?.fieldValues, ...draft.written };
  return (
    <Form error={error} onSubmit={onSubmit}>
      {draft.isOutdated && !isPending ? <p role="status">{texts.outdated}</p> : null}
      {children}
      {type.fields.length === 0 ? <p className="quiet">{texts.noFields}</p> : null}
      {type.fields.map((field) => (
        <FieldInput
          key={field.slug}
          field={field}
          value={values[field.slug]}
          files={record?.files}
          onChange={(value) => draft.write(field.slug, value)}
        />
      ))}
      <p className="acts">
        <button type="submit" className="primary" disabled={isPending}>
          {submit}
        </button>
        {draft.isEmpty ? null : (
          <button type="button" disabled={isPending} onClick={draft.discard}>
            {texts.discard}
          </button>
        )}
      </p>
    </Form>
  );
}

/** What was written, as the API takes it. */
export function sentValues(
  { fields }: DataType,
  written: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const sent = fields.flatMap((field) =>
    field.slug in written ? [[field.slug, sentOf(field, written[field.slug])] as const] : [],
  );
  return Object.fromEntries(sent);
}
