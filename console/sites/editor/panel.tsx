import { type ReactNode, useEffect, useRef } from 'react';
import styles from './editor.module.css';

interface Props {
  label: string;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** What a tool asks for, below the bar: it takes the focus, and Escape gives it back to the text. */
export function Panel({ label, onSubmit, onClose, children }: Props): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);
  return (
    <form
      ref={form}
      aria-label={label}
      className={styles.panel}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      {children}
    </form>
  );
}
