import { type ReactNode, useState } from 'react';
import { Field, type FieldProps } from '../kit/field.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

interface Props extends FieldProps {
  /** The option of no choice. */
  none: string;
  /** The options. */
  children: ReactNode;
  onAdd(value: string): void;
}

/** A choice of what is added, by a button: the arrow keys pass options on their way to another one. */
export function Adder({ none, children, onAdd, ...field }: Props): ReactNode {
  const texts = useSettingsTexts();
  const [value, setValue] = useState('');
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.adds}>
          <select {...control} value={value} onChange={({ target }) => setValue(target.value)}>
            <option value="">{none}</option>
            {children}
          </select>
          <button
            type="button"
            aria-label={`${texts.add}: ${field.label}`}
            disabled={value === ''}
            onClick={() => {
              onAdd(value);
              setValue('');
            }}
          >
            {texts.add}
          </button>
        </div>
      )}
    </Field>
  );
}
