import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { fieldValueText } from '../kit/field-value.js';
import { Facts, Section, Status } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import styles from './members.module.css';
import { dataTypesQuery, memberKey } from './queries.js';
import { useMemberTexts } from './texts.js';

type DataType = Schemas['DataTypeResponse'];

/** How many records of a type are shown. */
const shown = 10;

/** The records of a member by type, as far as the signed-in member may read them. */
export function MemberRecords({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const path = { workspace_uuid: uuid };
  const counts = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'record-counts'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/data-types/member-record-counts', {
          params: { path, query: { member_id: memberId } },
        }),
      ),
  });
  const types = useQuery(dataTypesQuery(uuid));
  const counted = counts.data?.counts ?? {};
  const theirs = types.data?.items.filter(({ id }) => (counted[id] ?? 0) > 0) ?? [];
  return (
    <Section title={texts.records}>
      <ErrorNotice error={counts.error ?? types.error} />
      {counts.data !== undefined && theirs.length === 0 ? <p className="quiet">{texts.noRecords}</p> : null}
      {theirs.map((type) => (
        <OfType key={type.id} type={type} count={counted[type.id] ?? 0} memberId={memberId} />
      ))}
    </Section>
  );
}

function OfType({ type, count, memberId }: { type: DataType; count: number; memberId: number }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {type.name} <span className="quiet">{count}</span>
      </summary>
      {isOpen ? <Records type={type} memberId={memberId} /> : null}
    </details>
  );
}

function Records({ type, memberId }: { type: DataType; memberId: number }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const path = { workspace_uuid: uuid, data_type_id: type.id };
  const query = { memberId, pageSize: shown, sortBy: 'updatedAt', sortOrder: 'desc' } as const;
  const records = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'records', type.id, shown],
    queryFn: () =>
      answer(api.GET('/w/{workspace_uuid}/data-types/{data_type_id}/records', { params: { path, query } })),
  });
  return (
    <Read query={records}>
      {(data) => (
        <ul className={styles.rows}>
          {data.items.map(({ id, fieldValues, updatedAt, retirement }) => (
            <li key={id} className={styles.record}>
              <Facts
                facts={type.fields.map((field) => [
                  field.name,
                  fieldValueText(field, fieldValues[field.slug], common),
                ])}
              />
              <span className="quiet">
                <At at={updatedAt} withDay />
              </span>{' '}
              {retirement === undefined ? null : <Status>{texts.retired}</Status>}
            </li>
          ))}
          {data.total > shown ? (
            <li className="quiet">{filled(texts.moreRecords, { count: shown })}</li>
          ) : null}
        </ul>
      )}
    </Read>
  );
}
