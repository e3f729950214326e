import { type ReactNode, useState } from 'react';
import { type FieldProps, TextAreaField } from './field.js';

interface Props extends FieldProps {
  value: readonly string[];
  onChange(lines: string[]): void;
}

/** A field for several words, one in a line; what is typed stays, also where a line is empty yet. */
export function LinesField({ value, onChange, ...field }: Props): ReactNode {
  const [typed, setTyped] = useState('');
  const lines = value.join('\n');
  return (
    <TextAreaField
      {...field}
      autoCapitalize="none"
      spellCheck={false}
      value={linesOf(typed).join('\n') === lines ? typed : lines}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(linesOf(target.value));
      }}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
