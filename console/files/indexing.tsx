import { useIsFetching } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useAct } from '../kit/use-act.js';
import { wordsOf } from '../kit/words-of.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './files.module.css';
import { Findable } from './parts.js';
import { fileQuery, mayChange, type StoredFile } from './queries.js';
import { useFileTexts } from './texts.js';

/** Whether the words of a file are found, and why not; who may has its text read again. */
export function Indexing({ file }: { file: StoredFile }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { id, indexing } = file;
  const { state, reason, pages } = indexing;
  const path = { workspace_uuid: uuid, file_id: id };
  const isReading = useIsFetching(fileQuery(uuid, id)) > 0;
  const look = useAct(async () => {}, ['files']);
  const again = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/files/{file_id}/reindex', { params: { path } })),
    ['files'],
  );
  return (
    <div className={styles.words}>
      <p className="acts">
        <span>{texts.words}</span> <Findable state={state} />
        {pages === 0 ? null : <span className="quiet">{filled(texts.pages, { count: pages })}</span>}
        {state === 'pending' ? (
          <button type="button" disabled={isReading} onClick={() => look.mutate()}>
            {texts.look}
          </button>
        ) : null}
        {state !== 'pending' && reason !== 'kind' && mayChange(file) ? (
          <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
            {texts.indexAgain}
          </button>
        ) : null}
      </p>
      {reason === null ? null : <p className="quiet">{wordsOf(reason, texts.indexingReasons)}</p>}
      <ErrorNotice error={again.error} />
    </div>
  );
}
