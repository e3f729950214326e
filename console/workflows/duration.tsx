import { type ReactNode, useId, useState } from 'react';
import { Field } from '../kit/field.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

interface Props {
  label: string;
  pointer: string;
  /** ISO 8601, or empty. */
  value: string;
  onChange(value: string | undefined): void;
}

const simple = /^P(T?)(\d+)([MHDW])$/;
const units = ['M', 'H', 'D', 'W'] as const;

/** The number and unit of a duration; undefined if it has several or other units. */
function readDuration(value: string): [count: string, unit: string] | undefined {
  const [, time, count = '', unit = ''] = simple.exec(value) ?? [];
  const isOfTime = unit === 'M' || unit === 'H';
  return unit === '' || (time === 'T') !== isOfTime ? undefined : [count, unit];
}

const written = (count: string, unit: string) => `P${unit === 'M' || unit === 'H' ? 'T' : ''}${count}${unit}`;

/** A span of time as a number and its unit; one of another form is shown as it is written. */
export function Duration({ label, pointer, value, onChange }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const unitId = useId();
  // Of the number that was emptied to type another one.
  const [lastUnit, keepUnit] = useState('D');
  const parts = value === '' ? ['', lastUnit] : readDuration(value);
  if (parts === undefined) {
    return (
      <Field label={label} pointer={pointer}>
        {(control) => <input {...control} value={value} onChange={({ target }) => onChange(target.value)} />}
      </Field>
    );
  }
  const [count = '', unit = 'D'] = parts;
  return (
    <div className={styles.duration}>
      <Field label={label} pointer={pointer}>
        {(control) => (
          <input
            {...control}
            type="number"
            min={1}
            placeholder={texts.noLimit}
            value={count}
            onChange={({ target }) => {
              keepUnit(unit);
              onChange(target.value === '' ? undefined : written(target.value.replace(/\D/g, ''), unit));
            }}
          />
        )}
      </Field>
      <label className="unseen" htmlFor={unitId}>
        {label}: {texts.unit}
      </label>
      <select
        id={unitId}
        value={unit}
        disabled={count === ''}
        onChange={({ target }) => onChange(written(count, target.value))}
      >
        {units.map((one) => (
          <option key={one} value={one}>
            {texts.units[one]}
          </option>
        ))}
      </select>
    </div>
  );
}
