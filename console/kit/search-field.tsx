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
  const asked = useRef(value);
  const newest = useRef(onSearch);
  useEffect(() => {
    newest.current = onSearch;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (value === asked.current) return;
    // Not what was typed here, but another address.
    asked.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      size={Math.max(20, label.length)}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          asked.current = target.value.trim();
          newest.current(asked.current || undefined);
        }, restMs);
      }}
    />
  );
}
