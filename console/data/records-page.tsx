import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import { Beside } from '../kit/panel.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale, useTexts } from '../texts/texts.js';
import { columnsOf, mostColumns } from './columns.js';
import styles from './data.module.css';
import { Filters } from './filters.js';
import { type DataType, dataType, exportAddress, recordsInPage, recordsPage } from './queries.js';
import { NewRecord, OpenRecord } from './record-panel.js';
import type { RecordsSearch } from './search.js';
import { useDataTexts } from './texts.js';
import { ToTypes } from './to-types.js';
import { useAccess } from './use-access.js';

/** The records of a type, with one of them beside the list. */
export function RecordsPage(): ReactNode {
  const shared = useTexts();
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const { typeId } = useParams({ from: '/w/$workspace/data/$typeId' });
  const { data: type, error } = useQuery(dataType(uuid, Number(typeId)));
  if (type !== undefined) return <Records key={type.id} type={type} />;
  if (error === null) return <p role="status">{shared.loading}</p>;
  return (
    <Page title={texts.missingType} above={<ToTypes />}>
      <ErrorNotice error={error} />
    </Page>
  );
}

function Records({ type }: { type: DataType }): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const asked = useSearch({ from: '/w/$workspace/data/$typeId' });
  const navigate = useNavigate({ from: '/w/$workspace/data/$typeId' });
  const change = (changes: Partial<RecordsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const { record, ...list } = asked;
  const { sortBy, sortOrder } = list;
  const columns = useMemo(() => columnsOf(uuid, type, texts), [uuid, type, texts]);
  const isNarrowed = list.search !== undefined || list.filter !== undefined;
  const close = () => change({ record: undefined });
  return (
    <Page fills title={type.name} above={<ToTypes />} acts={<Acts type={type} list={list} />}>
      <Filters type={type} asked={list} change={change} />
      <Beside
        panel={
          record === 'new' ? (
            <NewRecord type={type} onClose={close} onCreated={(id) => change({ record: id })} />
          ) : record === undefined ? null : (
            <OpenRecord key={record} type={type} id={record} onClose={close} />
          )
        }
      >
        <Total type={type} list={list} />
        <Grid
          label={type.name}
          columns={columns}
          pageSize={recordsInPage}
          page={(number) => recordsPage(uuid, type.id, list, number)}
          sort={sortBy === undefined ? undefined : { sortBy, sortOrder: sortOrder ?? 'asc' }}
          onSort={change}
          empty={isNarrowed ? texts.noneFound : texts.noRecords}
        />
      </Beside>
    </Page>
  );
}

interface ListProps {
  type: DataType;
  list: RecordsSearch;
}

function Acts({ type, list }: ListProps): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const { writesAll, editsTypes } = useAccess(type);
  const params = { workspace: uuid, typeId: String(type.id) };
  return (
    <>
      {writesAll ? (
        <>
          <Link
            className="button"
            to="/w/$workspace/data/$typeId"
            params={params}
            search={(before) => ({ ...before, record: 'new' as const })}
          >
            {texts.newRecord}
          </Link>
          <Link className="button" to="/w/$workspace/data/$typeId/import" params={params}>
            {texts.import}
          </Link>
        </>
      ) : null}
      {list.retired === undefined ? (
        <a className="button" href={exportAddress(uuid, type.id, list)} download>
          {texts.export}
        </a>
      ) : null}
      {editsTypes ? (
        <Link className="button" to="/w/$workspace/data/$typeId/fields" params={params}>
          {texts.editType}
        </Link>
      ) : null}
    </>
  );
}

/** How many records the list has, and what it does not show. */
function Total({ type, list }: ListProps): ReactNode {
  const texts = useDataTexts();
  const locale = useLocale();
  const { uuid } = useWorkspace();
  const { data } = useQuery(recordsPage(uuid, type.id, list, 1));
  if (data === undefined) return null;
  const { totalIsExact } = data;
  const total = data.total.toLocaleString(locale);
  const further = type.fields.length - mostColumns;
  return (
    <p className={styles.total} role="status">
      {filled(totalIsExact ? texts.total : texts.moreThan, { total })}
      {totalIsExact ? '' : `. ${texts.moreHint}`}
      {further > 0 ? ` · ${filled(texts.moreFields, { count: further })}` : ''}
    </p>
  );
}
