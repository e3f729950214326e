import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.js';
import { ErrorNotice } from './error-notice.js';
import styles from './save-state.module.css';
import type { SavedDraft } from './use-saved-draft.js';

interface Props {
  draft: Pick<SavedDraft<unknown>, 'state' | 'error' | 'tryAgain' | 'takeTheirs' | 'keepMine'>;
  /** In the words of what is saved. */
  texts: {
    saveStates: Record<SavedDraft<unknown>['state'], string>;
    conflict: string;
    takeTheirs: string;
    keepMine: string;
  };
}

/** Whether what was typed is saved; if not, why, and what one can do. */
export function SaveState({ draft, texts }: Props): ReactNode {
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
