import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Read } from '../kit/read.js';
import { filled } from '../texts/texts.js';
import { useMemberTexts } from './texts.js';

interface Found<T> {
  items: readonly T[];
  total: number;
}

interface Props<T> {
  list: Pick<UseQueryResult<Found<T>>, 'data' | 'error'>;
  /** Shown in place of no rows. */
  empty: string;
  columns: readonly (readonly [title: string, cell: (item: T) => ReactNode])[];
}

/** A short list of what a member has, the newest first. */
export function List<T extends { id: number }>({ list, empty, columns }: Props<T>): ReactNode {
  return (
    <Read query={list}>
      {(data) =>
        data.items.length === 0 ? <p className="quiet">{empty}</p> : <Rows data={data} columns={columns} />
      }
    </Read>
  );
}

function Rows<T extends { id: number }>({
  data,
  columns,
}: { data: Found<T> } & Pick<Props<T>, 'columns'>): ReactNode {
  const texts = useMemberTexts();
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
