import type { ReactNode } from 'react';
import { Field } from '../kit/field.js';
import styles from './workflows.module.css';

interface Props {
  label: string;
  pointer: string;
  checked: boolean;
  onChange(isChecked: boolean): void;
}

/** A box to tick, before its label. */
export function CheckField({ label, pointer, checked, onChange }: Props): ReactNode {
  return (
    <div className={styles.check}>
      <Field label={label} pointer={pointer}>
        {(control) => (
          <input
            type="checkbox"
            {...control}
            checked={checked}
            onChange={({ target }) => onChange(target.checked)}
          />
        )}
      </Field>
    </div>
  );
}
