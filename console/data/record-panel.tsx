import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { MemberName, MemberPicker } from '../kit/member-picker.js';
import { Facts } from '../kit/page.js';
import { Panel } from '../kit/panel.js';
import { At } from '../kit/times.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import styles from './data.module.css';
import { History } from './history.js';
import { type DataRecord, type DataType, dataRecord } from './queries.js';
import { useRecordDraft } from './record-draft.js';
import { RecordForm, sentValues } from './record-form.js';
import { RetiredNotice, Retirement } from './retirement.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';
import { useSave } from './use-save.js';
import { FieldValue } from './value.js';

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
          <div className={`acts ${styles.views}`}>
            {(['values', 'history'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
                {texts[one]}
              </button>
            ))}
          </div>
          {view === 'history' ? <History type={type} record={data} /> : null}
          <div className={styles.values} hidden={view === 'history'}>
            <Values type={type} record={data} onDeleted={onClose} />
          </div>
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
  const draft = useRecordDraft(type, record);
  const save = useSave(type, record);
  const send = () => {
    const { written } = draft;
    // Also where the panel is closed meanwhile. The form shows why it failed.
    save.mutateAsync(sentValues(type, written)).then(
      ({ updatedAt }) => draft.saved(written, updatedAt),
      () => {},
    );
  };
  const removed = () => {
    draft.discard();
    onDeleted();
  };
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
        {mayWrite ? <Retirement type={type} record={record} onDeleted={removed} /> : null}
      </>
    );
  }
  return (
    <>
      <RecordForm
        type={type}
        record={record}
        draft={draft}
        error={save.error}
        isPending={save.isPending}
        submit={texts.save}
        onSubmit={send}
      />
      <Retirement type={type} record={record} onDeleted={removed} />
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
  const draft = useRecordDraft(type);
  const memberId = draft.memberId ?? me.id;
  const { header, onSettled } = useRequestKey();
  const create = useMutation({
    mutationFn: () => {
      const params = { path: { workspace_uuid: uuid, data_type_id: type.id }, header };
      const path = '/w/{workspace_uuid}/data-types/{data_type_id}/records';
      const body = { memberId, fieldValues: sentValues(type, draft.written) };
      return answer(api.POST(path, { params, body }));
    },
    onSettled,
    onSuccess: ({ id }) => {
      draft.discard();
      void queries.invalidateQueries({ queryKey: [uuid, 'records', type.id] });
      onCreated(id);
    },
  });
  return (
    <Panel title={texts.newRecord} onClose={onClose}>
      <RecordForm
        type={type}
        draft={draft}
        error={create.error}
        isPending={create.isPending}
        submit={texts.create}
        onSubmit={create.mutate}
      >
        <MemberPicker label={texts.member} pointer="/memberId" value={memberId} onChange={draft.choose} />
      </RecordForm>
    </Panel>
  );
}
