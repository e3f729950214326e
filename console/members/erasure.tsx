import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, InputField } from '../kit/field.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { followMs, memberKey, membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** How far the erasure of a member is, which is deleted by then, and what stays. */
export function Erasure({ memberId }: { memberId: number }): ReactNode {
  const common = useTexts();
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, member_id: memberId } };
  const { data, error } = useQuery({
    queryKey: [...memberKey(uuid, memberId), 'erasure'],
    refetchInterval: ({ state }) => (state.data?.state === 'erasing' ? followMs : false),
    queryFn: () => answer(api.GET('/w/{workspace_uuid}/members/{member_id}/erase', { params })),
  });
  // The member was deleted only: what is stored about it can be erased.
  if (isGone(error)) return <EraseMember memberId={memberId} />;
  if (data === undefined) {
    return error === null ? <p role="status">{common.loading}</p> : <ErrorNotice error={error} />;
  }
  const count = Object.values(data.erased).reduce((sum, rows) => sum + rows, 0);
  return (
    <>
      <ErrorNotice error={error} />
      <p role="status">
        <strong>{texts.erasureStates[data.state]}</strong>{' '}
        <span className="quiet">{filled(texts.erasedRows, { count })}</span>
      </p>
      {data.state === 'erased' && data.lookAgainAt !== null ? (
        <p className="quiet">
          {texts.lookAgain} <At at={data.lookAgainAt} withDay />
        </p>
      ) : null}
      <details>
        <summary>{texts.kept}</summary>
        <ul>
          {data.kept.map(({ store, what }) => (
            <li key={store}>{what}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Asks first, and for the name of who is meant. */
export function EraseMember({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const [confirm, setConfirm] = useState('');
  const erase = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/w/{workspace_uuid}/members/{member_id}/erase', {
          params: { path: { workspace_uuid: uuid, member_id: memberId } },
          body: { confirm },
        }),
      ),
    onSuccess: () => membersChanged(queries, uuid),
  });
  return (
    <div>
      <DialogButton title={texts.erase}>
        {() => (
          <Form error={erase.error} onSubmit={() => erase.mutate()}>
            <p>{texts.eraseConsequence}</p>
            <InputField
              label={texts.eraseConfirm}
              pointer="/confirm"
              autoComplete="off"
              value={confirm}
              onChange={({ target }) => setConfirm(target.value)}
            />
            <div className="acts">
              <button type="submit" className="danger" disabled={confirm === '' || erase.isPending}>
                {texts.eraseNow}
              </button>
            </div>
          </Form>
        )}
      </DialogButton>
    </div>
  );
}
