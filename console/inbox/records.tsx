import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { fieldValueText } from '../kit/field-value.js';
import { Read } from '../kit/read.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { dataTypesQuery } from '../members/queries.js';
import { useTexts } from '../texts/texts.js';
import styles from './inbox.module.css';
import { useInboxTexts } from './texts.js';

type DataType = Schemas['DataTypeResponse'];

/** How many records of a type are shown, the latest ones. */
const shown = 3;

/** The records of the member by type, as far as the signed-in member may read them. */
export function Records({ memberId }: { memberId: number }): ReactNode {
  const texts = useInboxTexts();
  const { uuid } = useWorkspace();
  const path = { workspace_uuid: uuid };
  const { data: counted } = useQuery({
    queryKey: [uuid, 'member', memberId, 'record-counts'],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/data-types/member-record-counts', {
          params: { path, query: { member_id: memberId } },
        }),
      ),
  });
  const counts = counted?.counts ?? {};
  const hasAny = Object.values(counts).some((count) => count > 0);
  const { data: types } = useQuery({ ...dataTypesQuery(uuid), enabled: hasAny });
  if (!hasAny || types === undefined) return null;
  return (
    <section aria-label={texts.records}>
      <h3>{texts.records}</h3>
      {types.items.map((type) => {
        const count = counts[type.id] ?? 0;
        return count === 0 ? null : <OfType key={type.id} type={type} count={count} memberId={memberId} />;
      })}
    </section>
  );
}

/** What a member has once is open at first; what it has many times is read when it is opened. */
function OfType({ type, count, memberId }: { type: DataType; count: number; memberId: number }): ReactNode {
  const [isOpen, setIsOpen] = useState(!type.isCollection);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {type.name} {type.isCollection ? <span className="quiet">{count}</span> : null}
      </summary>
      {isOpen ? <Latest type={type} memberId={memberId} /> : null}
    </details>
  );
}

function Latest({ type, memberId }: { type: DataType; memberId: number }): ReactNode {
  const shared = useTexts();
  const { uuid, can } = useWorkspace();
  const path = { workspace_uuid: uuid, data_type_id: type.id };
  const query = { memberId, pageSize: shown, sortBy: 'updatedAt', sortOrder: 'desc' } as const;
  const records = useQuery({
    queryKey: [uuid, 'member', memberId, 'records', type.id],
    queryFn: () =>
      answer(api.GET('/w/{workspace_uuid}/data-types/{data_type_id}/records', { params: { path, query } })),
  });
  return (
    <Read query={records}>
      {(data) =>
        data.items.map(({ id, fieldValues, updatedAt }) => (
          <div key={id} className={styles.record}>
            <dl className={styles.fields}>
              {type.fields.map((field) => {
                const text = fieldValueText(field, fieldValues[field.slug], shared);
                return text === undefined ? null : (
                  <div key={field.slug}>
                    <dt>{field.name}</dt>
                    <dd dir="auto">{text}</dd>
                  </div>
                );
              })}
            </dl>
            <p className="quiet">
              {can('data:read') ? (
                <Link
                  to="/w/$workspace/data/$typeId"
                  params={{ workspace: uuid, typeId: String(type.id) }}
                  search={{ record: id }}
                >
                  <Ago at={updatedAt} />
                </Link>
              ) : (
                <Ago at={updatedAt} />
              )}
            </p>
          </div>
        ))
      }
    </Read>
  );
}
