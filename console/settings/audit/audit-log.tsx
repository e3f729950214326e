import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Choice } from '../../kit/choice.js';
import { type Column, Grid } from '../../kit/grid.js';
import type { PageQuery, RowPage } from '../../kit/paged-rows.js';
import { Beside } from '../../kit/panel.js';
import { At } from '../../kit/times.js';
import styles from '../settings.module.css';
import { type AuditEvent, actionText, auditActions } from './actions.js';
import { OneAct } from './one-act.js';
import { type AuditSearch, filtersOf } from './search.js';
import { useAuditTexts } from './texts.js';

/** As many as a page of the API can have. */
export const pageSize = 100;

type AuditRows = RowPage<AuditEvent> & { totalIsExact: boolean };

/** How a page of a log is read. */
export interface AuditPageQuery extends PageQuery<AuditEvent> {
  queryFn(context: { signal: AbortSignal }): Promise<AuditRows>;
}

interface Props {
  label: string;
  search: AuditSearch;
  onSearch(changed: AuditSearch): void;
  page(number: number): AuditPageQuery;
  /** The name of who acted. */
  Who: ComponentType<{ id: number }>;
  /** The filter by who acted, if people can be named. */
  byWhom: ReactNode;
  /** Where the console has a page of what was acted on. */
  placeOf?(event: AuditEvent): string | undefined;
}

/** What was done, the newest first, with what is known of the one that is open. */
export function AuditLog({ label, search, onSearch, page, Who, byWhom, placeOf }: Props): ReactNode {
  const texts = useAuditTexts();
  const [opened, setOpened] = useState<AuditEvent>();
  const { data: first } = useQuery(page(1));
  const columns: Column<AuditEvent>[] = [
    { id: 'when', title: texts.when, width: '11rem', cell: ({ createdAt }) => <At at={createdAt} withDay /> },
    {
      id: 'who',
      title: texts.who,
      width: '10rem',
      cell: ({ actorMemberId }) =>
        actorMemberId === null ? <span className="quiet">{texts.nobody}</span> : <Who id={actorMemberId} />,
    },
    {
      id: 'what',
      title: texts.what,
      width: '20rem',
      cell: (event) => (
        <button
          type="button"
          className="link"
          aria-expanded={opened?.id === event.id}
          onClick={() => setOpened(opened?.id === event.id ? undefined : event)}
        >
          {actionText(event.action, texts)}
        </button>
      ),
    },
    { id: 'names', title: texts.names, cell: ({ names }) => names.join(', ') },
  ];
  const isFiltered = Object.values(search).some((one) => one !== undefined);
  return (
    <>
      <search className={styles.filters}>
        <Choice
          label={texts.what}
          all={texts.everything}
          value={search.action}
          options={auditActions.map((action) => [action, actionText(action, texts)])}
          onChange={(action) => onSearch({ action })}
        />
        {byWhom}
        {(['from', 'to'] as const).map((end) => (
          <label key={end} className={styles.day}>
            {texts[end]}
            <input
              type="date"
              value={search[end] ?? ''}
              onChange={({ target }) => onSearch({ [end]: target.value || undefined })}
            />
          </label>
        ))}
      </search>
      {first?.totalIsExact === false ? <p className={styles.hint}>{texts.bounded}</p> : null}
      <Beside
        panel={
          opened === undefined ? null : (
            <OneAct event={opened} place={placeOf?.(opened)} Who={Who} onClose={() => setOpened(undefined)} />
          )
        }
      >
        <Grid
          label={label}
          columns={columns}
          pageSize={pageSize}
          page={page}
          empty={isFiltered ? texts.noneFound : texts.none}
        />
      </Beside>
    </>
  );
}

/** The log as a file. The API neutralizes what a table would take for a formula. */
export function ExportLog({ path, search }: { path: string; search: AuditSearch }): ReactNode {
  const texts = useAuditTexts();
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filtersOf(search))) {
    if (value !== undefined) query.set(name, String(value));
  }
  return (
    <a className="button" href={`/api/v2/${path}/audit-events/export?${query}`} download>
      {texts.export}
    </a>
  );
}
