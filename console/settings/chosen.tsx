import { type ReactNode, useId, useRef } from 'react';
import { useKeptFocus } from '../kit/kept-focus.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';

interface Props<T extends string | number> {
  label: string;
  items: readonly T[];
  name(item: T): ReactNode;
  onRemove(item: T): void;
}

/** What was chosen, each with a button that takes it out. */
export function Chosen<T extends string | number>(props: Props<T>): ReactNode {
  return props.items.length === 0 ? null : <List {...props} />;
}

function List<T extends string | number>({ label, items, name, onRemove }: Props<T>): ReactNode {
  const texts = useSettingsTexts();
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useKeptFocus(list);
  return (
    <ul ref={list} aria-label={label} className={styles.chosen}>
      {items.map((item) => (
        <li key={item} className="chip">
          <span id={`${id}-${item}`}>{name(item)}</span>
          <button
            type="button"
            aria-label={texts.takeOut}
            aria-describedby={`${id}-${item}`}
            title={texts.takeOut}
            onClick={({ currentTarget }) => {
              const entry = currentTarget.closest('li');
              (entry?.nextElementSibling ?? entry?.previousElementSibling)?.querySelector('button')?.focus();
              onRemove(item);
            }}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
