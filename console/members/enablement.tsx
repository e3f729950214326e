import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { useAct } from '../kit/use-act.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Member } from './queries.js';
import { useMemberTexts } from './texts.js';

const changes = [['members'], ['member']];

/** Disables a member, which asks first, or enables it. */
export function Enablement({ member: { id, disabledAt } }: { member: Member }): ReactNode {
  const texts = useMemberTexts();
  const { uuid, me } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, member_id: id } };
  const enable = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/members/{member_id}/enable', { params })),
    ...changes,
  );
  if (id === me.id) return null;
  if (disabledAt !== null) {
    return (
      <>
        <button type="button" disabled={enable.isPending} onClick={() => enable.mutate()}>
          {texts.enable}
        </button>
        <ErrorNotice error={enable.error} />
      </>
    );
  }
  return (
    <AsksFirst
      title={texts.disable}
      help={texts.disableConsequence}
      tone="danger"
      act={() => answer(api.POST('/w/{workspace_uuid}/members/{member_id}/disable', { params }))}
      changes={changes}
    />
  );
}
