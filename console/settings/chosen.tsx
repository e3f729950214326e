import { type ReactNode, useId } from 'react';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

interface Props<T extends string | number> {
  label: string;
  items: readonly T[];
  name(item: T): ReactNode;
  onRemove(item: T): void;
}

/** What was chosen, each with a button that takes it out. */
export function Chosen<T extends string | number>({ label, items, name, onRemove }: Props<T>): ReactNode {
  const texts = useSettingsTexts();
  const id = useId();
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className={styles.chosen}>
      {items.map((item) => (
        <li key={item} className="chip">
          <span id={`${id}-${item}`}>{name(item)}</span>
          <button
            type="button"
            aria-label={texts.takeOut}
            aria-describedby={`${id}-${item}`}
            title={texts.takeOut}
            onClick={() => onRemove(item)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
