import type { ReactNode } from 'react';
import { TextAreaField } from '../kit/field.js';
import { useRunTexts } from './texts.js';

interface Props {
  value: string;
  onChange(value: string): void;
}

/** Why somebody cancels or holds something, for who reads of it later. */
export function Reason({ value, onChange }: Props): ReactNode {
  const texts = useRunTexts();
  return (
    <TextAreaField
      label={texts.reason}
      pointer="/reason"
      maxLength={2_000}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

export const reasonOf = (text: string): string | null => text.trim() || null;
