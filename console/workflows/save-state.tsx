import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useTexts } from '../texts/texts.js';
import { saveFile } from './export-file.js';
import type { Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import type { Draft } from './use-draft.js';
import styles from './workflows.module.css';

/** Whether what was typed is saved; if not, why, and what one can do. */
export function SaveState({ draft }: { draft: Draft }): ReactNode {
  const texts = useWorkflowTexts();
  const { tryAgain } = useTexts();
  const { state, error } = draft;
  return (
    <>
      <span role="status" className={state === 'saved' || state === 'unsaved' ? 'quiet' : 'error'}>
        {texts.saveStates[state]}
      </span>
      {state === 'failed' ? (
        <button type="button" onClick={draft.tryAgain}>
          {tryAgain}
        </button>
      ) : null}
      {state === 'failed' || state === 'refused' ? <ErrorNotice error={error} /> : null}
      {state === 'conflict' ? (
        <div role="alert" className={styles.conflict}>
          <p>{texts.conflict}</p>
          <div className="acts">
            <button type="button" onClick={draft.takeTheirs}>
              {texts.takeTheirs}
            </button>
            <button type="button" className="danger" onClick={draft.keepMine}>
              {texts.keepMine}
            </button>
          </div>
        </div>
      ) : null}
    </>
  );
}

interface LeftBehindProps {
  root: Task;
  name: string;
  onDrop(): void;
}

/** Somebody has published or archived the draft before all was saved: what is left here can be taken along. */
export function LeftBehind({ root, name, onDrop }: LeftBehindProps): ReactNode {
  const texts = useWorkflowTexts();
  return (
    <div role="alert" className={styles.conflict}>
      <p>{texts.leftBehind}</p>
      <div className="acts">
        <button type="button" onClick={() => saveFile(name, { name, rootTask: root })}>
          {texts.saveMine}
        </button>
        <button type="button" className="danger" onClick={onDrop}>
          {texts.dropMine}
        </button>
      </div>
    </div>
  );
}
