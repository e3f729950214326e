import type { ReactNode } from 'react';
import { Field, type FieldProps } from '../kit/field.js';
import styles from './settings.module.css';

interface Props<T extends string | number> extends FieldProps {
  options: readonly (readonly [value: T, name: string])[];
  value: readonly T[];
  /** Whether the names are sentences, which stand below each other. */
  isLong?: boolean;
  onChange(value: T[]): void;
}

/** A field of several choices, in the order of its options. */
export function Checks<T extends string | number>({
  options,
  value,
  isLong = false,
  onChange,
  ...field
}: Props<T>): ReactNode {
  const offered = options.map(([one]) => one);
  const toggle = (option: T, isChosen: boolean) =>
    onChange([
      // What is not offered here stays as it is.
      ...value.filter((one) => !offered.includes(one)),
      ...offered.filter((one) => (one === option ? isChosen : value.includes(one))),
    ]);
  return (
    <Field {...field}>
      {({ id, 'aria-describedby': notes, 'aria-invalid': isInvalid }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would have its name twice.
        <div
          id={id}
          role="group"
          aria-label={field.label}
          aria-describedby={notes}
          className={isLong ? styles.sentences : styles.checks}
        >
          {options.map(([option, name]) => (
            <label key={option}>
              <input
                type="checkbox"
                aria-invalid={isInvalid}
                checked={value.includes(option)}
                onChange={({ target }) => toggle(option, target.checked)}
              />
              {name}
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}

/** A field that is on or off. */
export function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}): ReactNode {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
  );
}
