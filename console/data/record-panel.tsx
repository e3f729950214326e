import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Facts } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import styles from './data.module.css';
import { History } from './history.js';
import { MemberName, MemberPicker } from './member-picker.js';
import { type DataRecord, type DataType, dataRecord } from './queries.js';
import { RecordForm } from './record-form.js';
import { RetiredNotice, Retirement } from './retirement.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';
import { useSave } from './use-save.js';
import { FieldValue } from './value.js';

interface PanelProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** What is open beside the list; Escape closes it. */
function Panel({ title, onClose, children }: PanelProps): ReactNode {
  const texts = useDataTexts();
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      const isWritten = target instanceof HTMLElement && target.matches('input, textarea, select, dialog *');
      if (key === 'Escape' && !isWritten) onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside className={styles.panel} aria-label={title}>
      <header className={styles.panelHead}>
        <h2>{title}</h2>
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
      </header>
      {children}
    </aside>
  );
}

interface OpenProps {
  type: DataType;
  id: number;
  onClose(): void;
}

export function OpenRecord({ type, id, onClose }: OpenProps): ReactNode {
  const texts = useDataTexts();
  const shared = useTexts();
  const { uuid } = useWorkspace();
  const { data, error } = useQuery(dataRecord(uuid, type.id, id));
  const [view, setView] = useState<'values' | 'history'>('values');
  return (
    <Panel title={filled(texts.recordOf, { id })} onClose={onClose}>
      {data === undefined && error === null ? <p role="status">{shared.loading}</p> : null}
      <ErrorNotice error={data === undefined ? error : null} />
      {data === undefined ? null : (
        <>
          <RecordFacts record={data} />
          <div className="acts">
            {(['values', 'history'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
                {texts[one]}
              </button>
            ))}
          </div>
          {view === 'history' ? (
            <History type={type} record={data} />
          ) : (
            <Values key={data.updatedAt} type={type} record={data} onDeleted={onClose} />
          )}
        </>
      )}
    </Panel>
  );
}

function RecordFacts({ record }: { record: DataRecord }): ReactNode {
  const texts = useDataTexts();
  const { memberId, memberName, externalId, createdAt, updatedAt } = record;
  return (
    <Facts
      facts={[
        [texts.member, memberName ?? <MemberName id={memberId} />],
        [texts.externalId, externalId],
        [texts.created, <At key="at" at={createdAt} withDay />],
        [texts.updated, <At key="at" at={updatedAt} withDay />],
      ]}
    />
  );
}

interface ValuesProps {
  type: DataType;
  record: DataRecord;
  onDeleted(): void;
}

function Values({ type, record, onDeleted }: ValuesProps): ReactNode {
  const texts = useDataTexts();
  const { me } = useWorkspace();
  const { writesAll } = useAccess(type);
  const mayWrite = writesAll || (record.memberId === me.id && (record.accessMode ?? 0) === 0);
  const save = useSave(type, record);
  if (!mayWrite || record.retirement !== undefined) {
    return (
      <>
        {record.retirement === undefined ? null : <RetiredNotice retirement={record.retirement} />}
        <Facts
          facts={type.fields.map((field) => [
            field.name,
            <FieldValue
              key="value"
              field={field}
              value={record.fieldValues[field.slug]}
              files={record.files}
            />,
          ])}
        />
        {mayWrite ? <Retirement type={type} record={record} onDeleted={onDeleted} /> : null}
      </>
    );
  }
  return (
    <>
      <RecordForm
        type={type}
        record={record}
        error={save.error}
        isPending={save.isPending}
        submit={texts.save}
        onSubmit={save.mutate}
      />
      <Retirement type={type} record={record} onDeleted={onDeleted} />
    </>
  );
}

interface NewProps {
  type: DataType;
  onClose(): void;
  onCreated(id: number): void;
}

export function NewRecord({ type, onClose, onCreated }: NewProps): ReactNode {
  const texts = useDataTexts();
  const { uuid, me } = useWorkspace();
  const queries = useQueryClient();
  const [memberId, setMemberId] = useState(me.id);
  const create = useMutation({
    mutationFn: (fieldValues: Record<string, unknown>) => {
      const params = { path: { workspace_uuid: uuid, data_type_id: type.id } };
      const path = '/w/{workspace_uuid}/data-types/{data_type_id}/records';
      return answer(api.POST(path, { params, body: { memberId, fieldValues } }));
    },
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [uuid, 'records', type.id] });
      onCreated(id);
    },
  });
  return (
    <Panel title={texts.newRecord} onClose={onClose}>
      <RecordForm
        type={type}
        error={create.error}
        isPending={create.isPending}
        submit={texts.create}
        onSubmit={create.mutate}
      >
        <MemberPicker label={texts.member} value={memberId} onChange={(id) => setMemberId(id ?? me.id)} />
      </RecordForm>
    </Panel>
  );
}
