import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { DialogButton } from '../kit/dialog.js';
import { Form } from '../kit/field.js';
import { useAct } from '../kit/use-act.js';
import styles from './files.module.css';
import { FolderList, FolderSign } from './folder-list.js';
import { FolderPath } from './folder-path.js';
import { useFileTexts } from './texts.js';

interface Props {
  /** Where it is now: a folder, the root, or several of these. */
  from: number | undefined | 'many';
  /** A folder is not moved into itself. */
  without?: number;
  move(to: number | null): Promise<unknown>;
  changes: readonly QueryKey[];
}

/** Moves a file or folder to a folder that is chosen step by step, from where it is now. */
export function Move({ from, without, move, changes }: Props): ReactNode {
  const texts = useFileTexts();
  const [at, setAt] = useState(from === 'many' ? undefined : from);
  const path = useRef<HTMLParagraphElement>(null);
  const moving = useAct(() => move(at ?? null), ...changes);
  const go = (id: number | undefined) => {
    setAt(id);
    // The button that was pressed goes away.
    path.current?.focus();
  };
  return (
    <DialogButton title={texts.move}>
      {(close) => (
        <Form error={moving.error} onSubmit={() => moving.mutate(undefined, { onSuccess: close })}>
          <p>{texts.moveHelp}</p>
          <p ref={path} tabIndex={-1} className={styles.path}>
            <FolderPath
              id={at}
              step={(id, name) =>
                id === at ? (
                  <strong>{name}</strong>
                ) : (
                  <button type="button" className="link" onClick={() => go(id)}>
                    {name}
                  </button>
                )
              }
            />
          </p>
          <FolderList
            parent={at}
            without={without}
            none={<p className="quiet">{texts.noFolders}</p>}
            item={({ id, name }) => (
              <button type="button" className={styles.folder} onClick={() => go(id)}>
                <FolderSign />
                <span dir="auto">{name}</span>
              </button>
            )}
          />
          <button type="submit" className="primary" disabled={at === from || moving.isPending}>
            {texts.moveHere}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
