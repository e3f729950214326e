import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale, useTexts } from '../texts/texts.js';
import styles from './files.module.css';
import { sizeOf } from './size.js';
import { useFileTexts } from './texts.js';
import { isUnderWay, removeStored, removeUpload, type Upload, uploadAgain, useUploads } from './uploads.js';

/** What is being uploaded in this window, and what became of it. */
export function UploadList(): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const uploads = useUploads(uuid);
  const stored = uploads.filter(({ state }) => state === 'stored').length;
  if (uploads.length === 0) return null;
  return (
    <section className={styles.uploads} aria-label={texts.uploads}>
      <header className="acts">
        <strong role="status">{filled(texts.uploaded, { stored, total: uploads.length })}</strong>
        {stored === 0 ? null : (
          <button type="button" className="link" onClick={() => removeStored(uuid)}>
            {texts.removeStored}
          </button>
        )}
      </header>
      <ul>
        {uploads.map((one) => (
          <UploadItem key={one.id} upload={one} />
        ))}
      </ul>
    </section>
  );
}

function UploadItem({ upload }: { upload: Upload }): ReactNode {
  const { id, uuid, bytes, state, sent, error, fileId } = upload;
  const texts = useFileTexts();
  const { cancel, tryAgain, close } = useTexts();
  const locale = useLocale();
  const { name, size } = bytes;
  const has = (act: string) => `${act}: ${name}`;
  const act = isUnderWay(upload) ? cancel : close;
  return (
    <li data-state={state}>
      <span className={styles.uploadName}>
        {fileId === undefined ? (
          <span dir="auto">{name}</span>
        ) : (
          <Link
            from="/w/$workspace/files"
            to="/w/$workspace/files"
            params={{ workspace: uuid }}
            search={(all) => ({ ...all, open: fileId })}
          >
            {name}
          </Link>
        )}{' '}
        <span className="quiet">{sizeOf(size, locale)}</span>
      </span>
      {state === 'sending' ? <progress value={sent} aria-label={name} /> : null}
      <span className="quiet">
        {texts.uploadStates[sent === 1 && state === 'sending' ? 'storing' : state]}
      </span>
      <span className={`acts ${styles.uploadActs}`}>
        {state === 'failed' ? (
          <button type="button" aria-label={has(tryAgain)} onClick={() => uploadAgain(id)}>
            {tryAgain}
          </button>
        ) : null}
        <button type="button" aria-label={has(act)} onClick={() => removeUpload(id)}>
          {isUnderWay(upload) ? cancel : '×'}
        </button>
      </span>
      <ErrorNotice error={error} />
    </li>
  );
}
