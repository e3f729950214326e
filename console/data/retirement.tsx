import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { MemberName } from '../kit/member-picker.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import type { DataRecord, DataType } from './queries.js';
import { useDataTexts } from './texts.js';
import { useAccess } from './use-access.js';

interface Props {
  type: DataType;
  record: DataRecord;
  onDeleted(): void;
}

/** Since when a record is retired, by whom and why. */
export function RetiredNotice({
  retirement,
}: {
  retirement: Schemas['DataRecordRetirementResponse'];
}): ReactNode {
  const texts = useDataTexts();
  const { retiredAt, retiredByMemberId, reason } = retirement;
  return (
    <p role="status">
      <strong>{texts.retiredSince}</strong> <At at={retiredAt} withDay />
      {retiredByMemberId === null ? null : (
        <>
          {' '}
          {texts.retiredBy} <MemberName id={retiredByMemberId} />
        </>
      )}
      {reason === null ? null : <>: {reason}</>}
    </p>
  );
}

/** Retires a record, restores it, or deletes it for good. */
export function Retirement({ type, record, onDeleted }: Props): ReactNode {
  const texts = useDataTexts();
  const { uuid } = useWorkspace();
  const { deletes } = useAccess(type);
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const params = { path: { workspace_uuid: uuid, data_type_id: type.id, record_id: record.id } };
  const refresh = () => queries.invalidateQueries({ queryKey: [uuid, 'records', type.id] });
  const path = '/w/{workspace_uuid}/data-types/{data_type_id}/records/{record_id}';
  const retire = useMutation({
    mutationFn: () =>
      answer(
        api.POST(`${path}/retire`, { params, body: reason.trim() === '' ? {} : { reason: reason.trim() } }),
      ),
    onSuccess: refresh,
  });
  const restore = useMutation({
    mutationFn: () => answer(api.POST(`${path}/restore`, { params })),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE(path, { params })),
    onSuccess: () => {
      onDeleted();
      // The record itself is not to be read again.
      return queries.invalidateQueries({ queryKey: [uuid, 'records', type.id, 'list'] });
    },
  });
  return (
    <div className="acts">
      {record.retirement === undefined ? (
        <DialogButton title={texts.retire}>
          {() => (
            <>
              <p>{texts.retireWhy}</p>
              <label>
                {texts.reason}
                <textarea
                  maxLength={2_000}
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              </label>
              <ErrorNotice error={retire.error} />
              <button
                type="button"
                className="primary"
                disabled={retire.isPending}
                onClick={() => retire.mutate()}
              >
                {texts.retire}
              </button>
            </>
          )}
        </DialogButton>
      ) : (
        <button type="button" disabled={restore.isPending} onClick={() => restore.mutate()}>
          {texts.restore}
        </button>
      )}
      {deletes ? (
        <DialogButton title={texts.deleteRecord}>
          {() => (
            <>
              <p>{texts.deleteRecordWhy}</p>
              <ErrorNotice error={remove.error} />
              <button
                type="button"
                className="danger"
                disabled={remove.isPending}
                onClick={() => remove.mutate()}
              >
                {texts.delete}
              </button>
            </>
          )}
        </DialogButton>
      ) : null}
      <ErrorNotice error={restore.error} />
    </div>
  );
}
