import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Member, membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** Disables a member, which asks first, or enables it. */
export function Enablement({ member: { id, disabledAt } }: { member: Member }): ReactNode {
  const texts = useMemberTexts();
  const { uuid, me } = useWorkspace();
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (isEnabled: boolean) => {
      const params = { path: { workspace_uuid: uuid, member_id: id } };
      return answer(
        isEnabled
          ? api.POST('/w/{workspace_uuid}/members/{member_id}/enable', { params })
          : api.POST('/w/{workspace_uuid}/members/{member_id}/disable', { params }),
      );
    },
    onSuccess: () => membersChanged(queries, uuid),
  });
  if (id === me.id) return null;
  if (disabledAt !== null) {
    return (
      <>
        <button type="button" disabled={set.isPending} onClick={() => set.mutate(true)}>
          {texts.enable}
        </button>
        <ErrorNotice error={set.error} />
      </>
    );
  }
  return (
    <DialogButton title={texts.disable}>
      {(close) => (
        <>
          <p>{texts.disableConsequence}</p>
          <button
            type="button"
            className="danger"
            disabled={set.isPending}
            onClick={() => set.mutate(false, { onSuccess: close })}
          >
            {texts.disable}
          </button>
          <ErrorNotice error={set.error} />
        </>
      )}
    </DialogButton>
  );
}
