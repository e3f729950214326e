import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type FieldProps, SelectField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Choices } from './choices.js';

interface Props extends FieldProps {
  /** What having none means. */
  none: string;
  choices(uuid: string): Choices;
  value: number | null | undefined;
  onChange(id: number | null): void;
}

/** A field that names something of the workspace. */
export function NamedField({ none, choices, value, onChange, ...field }: Props): ReactNode {
  const { uuid } = useWorkspace();
  const { data = [] } = useQuery(choices(uuid));
  // What the role may not list, or is beyond the first hundred, keeps its place.
  const isListed = value == null || data.some(({ id }) => id === value);
  return (
    <SelectField
      {...field}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{none}</option>
      {isListed ? null : <option value={value}>#{value}</option>}
      {data.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
