import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/texts.js';
import styles from './panel.module.css';

/** A list, and what is open beside it; in a narrow window, in its place. */
export function Beside({ panel, children }: { panel: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className={styles.beside} data-open={panel !== null}>
      <div className={styles.list}>{children}</div>
      {panel}
    </div>
  );
}

interface PanelProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** What is open beside the list; Escape closes it. */
export function Panel({ title, onClose, children }: PanelProps): ReactNode {
  const texts = useTexts();
  useEffect(() => {
    const onKey = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented) return;
      // It closes the dialog that is before the panel, or belongs to the field.
      if (document.querySelector('dialog[open]') !== null) return;
      if (target instanceof HTMLElement && target.matches('input, textarea, select')) return;
      onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
      </header>
      {children}
    </aside>
  );
}
