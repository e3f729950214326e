import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Between the last key and the search. */
const restMs = 300;

interface Props {
  label: string;
  value: string | undefined;
  onSearch(text: string | undefined): void;
}

/** A field that searches once nobody types. */
export function SearchField({ label, value = '', onSearch }: Props): ReactNode {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSearch(target.value.trim() || undefined), restMs);
      }}
    />
  );
}
