import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { filled, useTexts } from '../texts/texts.js';
import { useMemberTexts } from './texts.js';

interface Props<T> {
  list: {
    data: { items: readonly T[]; total: number } | undefined;
    error: Error | null;
  };
  /** Shown in place of no rows. */
  empty: string;
  columns: readonly (readonly [title: string, cell: (item: T) => ReactNode])[];
}

/** A short list of what a member has, the newest first. */
export function List<T extends { id: number }>({
  list: { data, error },
  empty,
  columns,
}: Props<T>): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p role="status">{common.loading}</p>;
  if (data.items.length === 0) return <p className="quiet">{empty}</p>;
  return (
    <>
      <div className="scrolls">
        <table className="list">
          <thead>
            <tr>
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => (
              <tr key={item.id}>
                {columns.map(([title, cell]) => (
                  <td key={title}>{cell(item)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total > data.items.length ? (
        <p className="quiet">{filled(texts.moreRecords, { count: data.items.length, total: data.total })}</p>
      ) : null}
    </>
  );
}
