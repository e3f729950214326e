import type { ReactNode } from 'react';

interface Props<T extends string | number> {
  label: string;
  /** The option of no choice. */
  all: string;
  value: T | undefined;
  options: readonly (readonly [value: T, name: string])[];
  onChange(value: T | undefined): void;
}

/** A filter by one of some values. */
export function Choice<T extends string | number>(props: Props<T>): ReactNode {
  const { label, all, value, options, onChange } = props;
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(options.find(([one]) => String(one) === target.value)?.[0])}
    >
      <option value="">{all}</option>
      {value === undefined || options.some(([one]) => one === value) ? null : (
        <option value={value}>{typeof value === 'number' ? `#${value}` : value}</option>
      )}
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
