import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
} from 'react';
import { ProblemError } from './api.js';
import { ErrorNotice } from './error-notice.js';
import styles from './field.module.css';

/** Why what a form sent was refused: its fields show what is about them. */
export const FormErrorContext = createContext<Error | null>(null);

interface FormProps {
  /** Why the last request of the form failed. */
  error: Error | null;
  onSubmit(): void;
  children: ReactNode;
}

/** A form whose fields show what the API has against them; the first of these gets the focus. */
export function Form({ error, onSubmit, children }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <FormErrorContext value={error}>{children}</FormErrorContext>
      <ErrorNotice error={error} />
    </form>
  );
}

export interface FieldProps {
  label: string;
  /** What the API calls the field in its errors, such as `/email`; what is below it counts, too. */
  pointer: string;
  hint?: ReactNode;
}

type Control = Pick<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'>;

/** A control with its label, a hint, and what the API has against its value. */
export function Field({
  label,
  pointer,
  hint,
  children,
}: FieldProps & { children(control: Control): ReactNode }): ReactNode {
  const id = useId();
  const error = useContext(FormErrorContext);
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  const against = errors.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  const isInvalid = against.length > 0;
  const hasNotes = isInvalid || hint !== undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': isInvalid, 'aria-describedby': hasNotes ? `${id}-notes` : undefined })}
      {hasNotes ? (
        <div id={`${id}-notes`} className={styles.notes}>
          {hint === undefined ? null : <span className="quiet">{hint}</span>}
          {against.map(({ message }) => (
            <span key={message} className="error">
              {message}
            </span>
          ))}
        </div>
      ) : null}
    </div>
  );
}

export function InputField({
  label,
  pointer,
  hint,
  ...input
}: FieldProps & ComponentProps<'input'>): ReactNode {
  return (
    <Field label={label} pointer={pointer} hint={hint}>
      {(control) => <input dir="auto" {...input} {...control} />}
    </Field>
  );
}

/** The options are its children. */
export function SelectField({
  label,
  pointer,
  hint,
  ...select
}: FieldProps & ComponentProps<'select'>): ReactNode {
  return (
    <Field label={label} pointer={pointer} hint={hint}>
      {(control) => <select {...select} {...control} />}
    </Field>
  );
}

export function TextAreaField({
  label,
  pointer,
  hint,
  ...area
}: FieldProps & ComponentProps<'textarea'>): ReactNode {
  return (
    <Field label={label} pointer={pointer} hint={hint}>
      {(control) => <textarea dir="auto" rows={3} {...area} {...control} />}
    </Field>
  );
}

/** A box to tick, before its label. */
export function CheckField({
  label,
  pointer,
  hint,
  ...input
}: FieldProps & ComponentProps<'input'>): ReactNode {
  return (
    <div className={styles.check}>
      <Field label={label} pointer={pointer} hint={hint}>
        {(control) => <input {...input} {...control} type="checkbox" />}
      </Field>
    </div>
  );
}
