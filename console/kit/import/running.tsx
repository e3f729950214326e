import type { ReactNode } from 'react';
import { filled } from '../../texts/texts.js';
import { ErrorNotice } from '../error-notice.js';
import { ImportBroken } from './lines.js';
import { useImportTexts } from './texts.js';
import { ImportStopped, type useImport } from './use-import.js';

interface Props {
  run: ReturnType<typeof useImport>;
  total: number;
  /** Says what is done. */
  text: string;
}

/** How far an import is, or why it has ended early. */
export function Running({ run, total, text }: Props): ReactNode {
  const texts = useImportTexts();
  const current = run.progress?.current ?? 0;
  if (!run.isPending) return <EarlyEnd error={run.error} />;
  return (
    <div>
      {/* Only the beginning is announced: each step would be too much to hear. */}
      <p role="status">{text}</p>
      <p className="acts">
        <progress aria-label={text} max={Math.max(total, 1)} value={current} />
        <span>{filled(texts.progress, { current, total })}</span>
        <button type="button" onClick={run.stop}>
          {texts.stop}
        </button>
      </p>
    </div>
  );
}

function EarlyEnd({ error }: { error: Error | null }): ReactNode {
  const texts = useImportTexts();
  if (error instanceof ImportStopped) return <p role="status">{texts.stopped}</p>;
  if (!(error instanceof ImportBroken)) return <ErrorNotice error={error} />;
  return (
    <p role="alert" className="error">
      {error.code === undefined ? texts.broken : filled(texts.failedInside, { code: error.code })}
    </p>
  );
}
