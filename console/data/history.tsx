import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { MemberName } from '../kit/member-picker.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './data.module.css';
import type { Change, DataRecord, DataType } from './queries.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';
import { useSave } from './use-save.js';
import { FieldValue } from './value.js';

interface Props {
  type: DataType;
  record: DataRecord;
}

/** Who changed what in a record, newest first. */
export function History({ type, record }: Props): ReactNode {
  const texts = useDataTexts();
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const changes = useInfiniteQuery({
    queryKey: [uuid, 'records', type.id, record.id, 'changes'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const path = { workspace_uuid: uuid, data_type_id: type.id, record_id: record.id };
      const params = { path, query: { page, pageSize: 25 } };
      return answer(
        api.GET('/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}/changes', {
          params,
          signal,
        }),
      );
    },
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  });
  const shown = changes.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <ErrorNotice error={changes.error} />
      {changes.isPending ? <p role="status">{shared.loading}</p> : null}
      <ol className={styles.history}>
        {shown.map((change, index) => (
          <li key={change.id}>
            <Entry type={type} record={record} change={change} isNewest={index === 0} />
          </li>
        ))}
      </ol>
      {changes.hasNextPage ? (
        <button type="button" disabled={changes.isFetching} onClick={() => void changes.fetchNextPage()}>
          {texts.earlier}
        </button>
      ) : null}
    </>
  );
}

interface EntryProps extends Props {
  change: Change;
  isNewest: boolean;
}

function Entry({ type, record, change, isNewest }: EntryProps): ReactNode {
  const texts = useDataTexts();
  const { operation, actorMemberId, createdAt, before, after } = change;
  const { writesAll } = useAccess(type);
  const isSame = (slug: string) => JSON.stringify(before?.[slug]) === JSON.stringify(after?.[slug]);
  const changed = type.fields.filter(({ slug }) => !isSame(slug));
  const isOfValues = operation === 'created' || operation === 'updated';
  return (
    <>
      <p>
        <strong>{texts.operations[operation]}</strong> <At at={createdAt} withDay /> ·{' '}
        {actorMemberId === null ? texts.byService : <MemberName id={actorMemberId} />}
      </p>
      {isOfValues && changed.length === 0 ? <p className="quiet">{texts.noChanges}</p> : null}
      <dl className={styles.changes}>
        {(isOfValues ? changed : []).map((field) => (
          <div key={field.slug}>
            <dt>{field.name}</dt>
            <dd>
              {before === null ? null : (
                <>
                  <del>
                    <FieldValue field={field} value={before[field.slug]} files={record.files} />
                  </del>{' '}
                  <span aria-hidden="true">→</span>{' '}
                </>
              )}
              <ins>
                <FieldValue field={field} value={after?.[field.slug]} files={record.files} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {isOfValues && !isNewest && writesAll && record.retirement === undefined && after !== null ? (
        <RestoreValues type={type} record={record} values={after} />
      ) : null}
    </>
  );
}

/** Gives the record the values of an earlier version; fields that had none are cleared. */
function RestoreValues({ type, record, values }: Props & { values: Record<string, unknown> }): ReactNode {
  const texts = useDataTexts();
  const save = useSave(type, record);
  const all = Object.fromEntries(type.fields.map(({ slug }) => [slug, values[slug] ?? null]));
  return (
    <DialogButton title={texts.restoreValues}>
      {(close) => (
        <>
          <p>{texts.restoreValuesWhy}</p>
          <ErrorNotice error={save.error} />
          <button
            type="button"
            className="primary"
            disabled={save.isPending}
            onClick={() => save.mutate(all, { onSuccess: close })}
          >
            {texts.restore}
          </button>
        </>
      )}
    </DialogButton>
  );
}
