import { memo, type ReactNode, useRef } from 'react';
import { useTexts } from '../texts/texts.js';
import { ErrorNotice } from './error-notice.js';
import styles from './grid.module.css';
import { type PagedRow, type PageQuery, usePagedRows } from './paged-rows.js';

export interface Column<T> {
  /** Unique among the columns. */
  id: string;
  title: ReactNode;
  /** Width, as in CSS; by default the column takes its share of what is left. */
  width?: string;
  /** What the API sorts by; a column without it cannot be sorted by. */
  sortBy?: string;
  cell(item: T): ReactNode;
}

export interface Sort {
  sortBy: string;
  sortOrder: 'asc' | 'desc';
}

/** The rows that are chosen, to act on several at once. */
export interface Selection<T> {
  ids: ReadonlySet<number>;
  onChange(ids: ReadonlySet<number>): void;
  /** What the box of a row says, such as the name of a member. */
  label(item: T): string;
}

interface Props<T> {
  /** What the table has, for who does not see it. */
  label: string;
  columns: readonly Column<T>[];
  pageSize: number;
  /** How a page of the list is read, from 1. */
  page(number: number): PageQuery<T>;
  sort?: Sort | undefined;
  onSort?(sort: Sort): void;
  selection?: Selection<T> | undefined;
  /** Shown in place of no rows. */
  empty: ReactNode;
}

const rowHeight = 44;
const headHeight = 40;
/** Of a column without a width of its own. */
const leastWidth = '8rem';

/** A table of any length: it reads and shows the rows that are in view. */
export function Grid<T extends { id: number }>(props: Props<T>): ReactNode {
  const { label, columns, pageSize, page, selection, empty } = props;
  const texts = useTexts();
  const scroll = useRef<HTMLDivElement>(null);
  const { total, height, rows, error } = usePagedRows({
    scroll,
    rowHeight,
    headHeight,
    keepsRows: true,
    pageSize,
    page,
  });
  if (total === undefined)
    return error === null ? <p role="status">{texts.loading}</p> : <ErrorNotice error={error} />;
  if (total === 0) return <p className={styles.empty}>{empty}</p>;
  const widths = columns.map(({ width = leastWidth }) => width);
  const minWidth = `calc(${widths.join(' + ')})`;
  return (
    <>
      <ErrorNotice error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section ref={scroll} className={styles.scroll} tabIndex={0} aria-label={label}>
        <table aria-label={label} aria-rowcount={total + 1} className={styles.grid} style={{ minWidth }}>
          <colgroup>
            {selection === undefined ? null : <col style={{ width: '2.5rem' }} />}
            {columns.map(({ id, width }) => (
              <col key={id} style={{ width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1} style={{ height: headHeight }}>
              {selection === undefined ? null : <SelectRows rows={rows} selection={selection} />}
              {columns.map((column) => (
                <Heading key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Space height={rows[0]?.start ?? 0} />
            {rows.map(({ index, item }) => (
              <tr key={index} aria-rowindex={index + 2} style={{ height: rowHeight }}>
                {item === undefined ? null : <Cells item={item} columns={columns} selection={selection} />}
              </tr>
            ))}
            <Space height={height - (rows.at(-1)?.end ?? height)} />
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Keeps the place of rows that are not in view. */
function Space({ height }: { height: number }): ReactNode {
  return height > 0 ? <tr className={styles.space} style={{ height }} /> : null;
}

/** While somebody scrolls, only rows that come into view are made. */
const Cells = memo(CellsOfRow) as typeof CellsOfRow;

function CellsOfRow<T extends { id: number }>({
  item,
  columns,
  selection,
}: Pick<Props<T>, 'columns' | 'selection'> & { item: T }): ReactNode {
  return (
    <>
      {selection === undefined ? null : (
        <td>
          <input
            type="checkbox"
            aria-label={selection.label(item)}
            checked={selection.ids.has(item.id)}
            onChange={({ target }) => selection.onChange(changed(selection.ids, [item.id], target.checked))}
          />
        </td>
      )}
      {columns.map(({ id, cell }) => (
        <td key={id}>{cell(item)}</td>
      ))}
    </>
  );
}

function changed(ids: ReadonlySet<number>, which: readonly number[], isChosen: boolean): ReadonlySet<number> {
  const others = [...ids].filter((id) => !which.includes(id));
  return new Set(isChosen ? [...others, ...which] : others);
}

interface SelectRowsProps<T> {
  rows: readonly PagedRow<T>[];
  selection: Selection<T>;
}

/** Chooses the rows that have been read and are in view. */
function SelectRows<T extends { id: number }>({ rows, selection }: SelectRowsProps<T>): ReactNode {
  const texts = useTexts();
  const shown = rows.flatMap(({ item, isInView }) => (isInView && item !== undefined ? [item.id] : []));
  return (
    <th scope="col">
      <input
        type="checkbox"
        aria-label={texts.selectShown}
        checked={shown.length > 0 && shown.every((id) => selection.ids.has(id))}
        onChange={({ target }) => selection.onChange(changed(selection.ids, shown, target.checked))}
      />
    </th>
  );
}

function Heading<T>({
  column: { title, sortBy },
  sort,
  onSort,
}: Pick<Props<T>, 'sort' | 'onSort'> & { column: Column<T> }): ReactNode {
  if (sortBy === undefined || onSort === undefined) return <th scope="col">{title}</th>;
  const order = sort?.sortBy === sortBy ? sort.sortOrder : undefined;
  const next = order === 'asc' ? 'desc' : 'asc';
  return (
    <th scope="col" aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      <button type="button" onClick={() => onSort({ sortBy, sortOrder: next })}>
        {title} <span aria-hidden="true">{order && (order === 'asc' ? '↑' : '↓')}</span>
      </button>
    </th>
  );
}
