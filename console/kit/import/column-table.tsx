import type { ReactNode } from 'react';
import { filled } from '../../texts/texts.js';
import type { Schemas } from '../api.js';
import type { ImportTarget } from './columns.js';
import styles from './import.module.css';
import { useImportTexts } from './texts.js';

interface Props {
  preview: Schemas['CsvPreviewResponse'];
  targets: readonly ImportTarget[];
  /** What each column of the file becomes; empty if it is not imported. */
  chosen: readonly string[];
  onChoose(chosen: readonly string[]): void;
}

const examples = 3;

/** The columns of a file with what stands in them, and the choice of what they become. */
export function ColumnTable({ preview, targets, chosen, onChoose }: Props): ReactNode {
  const texts = useImportTexts();
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{texts.column}</th>
            <th scope="col">{texts.examples}</th>
            <th scope="col">{texts.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {preview.columns.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file keep their places, and names may be there twice.
            <tr key={index}>
              <th scope="row" dir="auto">
                {name === '' ? <span className="quiet">{texts.unnamed}</span> : name}
              </th>
              <td className={styles.examples} dir="auto">
                {preview.rows
                  .slice(0, examples)
                  .map((row) => row[index])
                  .filter(Boolean)
                  .join(' · ')}
              </td>
              <td>
                <select
                  aria-label={filled(texts.fieldOf, { name: name === '' ? texts.unnamed : name })}
                  value={chosen[index] ?? ''}
                  onChange={({ target }) => onChoose(chosen.with(index, target.value))}
                >
                  <option value="">{texts.notImported}</option>
                  {targets.map(({ column, title, isRequired }) => (
                    <option key={column} value={column}>
                      {isRequired === true ? `${title} (${texts.required})` : title}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
