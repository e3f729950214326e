import type { ReactNode } from 'react';
import { filled, useLocale } from '../../texts/texts.js';
import { download } from '../download.js';
import styles from './import.module.css';
import type { ImportProgress, ImportResult } from './lines.js';
import { useImportTexts } from './texts.js';

const kinds = ['created', 'updated', 'unchanged', 'failed'] as const;
const mostShown = 100;

/** How many rows are new, changed, unchanged and refused. */
export function Counts({ counts }: { counts: ImportProgress | ImportResult }): ReactNode {
  const texts = useImportTexts();
  const locale = useLocale();
  return (
    <dl className={styles.counts}>
      {kinds.map((kind) => (
        <div key={kind} data-kind={counts[kind] === 0 ? undefined : kind}>
          <dt>{texts[kind]}</dt>
          <dd>{counts[kind].toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The rows that were refused, with the reasons, and as a file to put them right in. */
export function RefusedRows({ result, fileName }: { result: ImportResult; fileName: string }): ReactNode {
  const texts = useImportTexts();
  if (result.failed === 0) return null;
  const shown = result.errors.slice(0, mostShown);
  const inFile = result.failedRowsInFile ?? 0;
  return (
    <>
      <h3>{texts.refusedRows}</h3>
      <ul className={styles.refused}>
        {shown.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
      {shown.length < result.failed ? (
        <p className="quiet">{filled(texts.onlyFirst, { shown: shown.length, failed: result.failed })}</p>
      ) : null}
      <p className="acts">
        <button type="button" onClick={() => download(result.failedRowsFile ?? '', fileName, 'text/csv')}>
          {texts.download}
        </button>
        <span className="quiet">
          {texts.downloadHint}{' '}
          {inFile < result.failed
            ? filled(texts.fileHasFirst, { shown: inFile, failed: result.failed })
            : null}
        </span>
      </p>
    </>
  );
}
