import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { MemberForm } from './member-form.js';
import { membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** Adds a person, and shows its page. */
export function NewMember(): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { header, onSettled } = useRequestKey();
  const create = useMutation({
    mutationFn: (body: Schemas['CreateMemberRequest']) =>
      answer(
        api.POST('/w/{workspace_uuid}/members', { params: { path: { workspace_uuid: uuid }, header }, body }),
      ),
    onSettled,
    onSuccess: async ({ id }) => {
      await membersChanged(queries, uuid);
      await navigate({
        to: '/w/$workspace/members/$memberId',
        params: { workspace: uuid, memberId: String(id) },
      });
    },
  });
  return (
    <DialogButton title={texts.newMember}>
      {() => (
        <MemberForm error={create.error} onSave={(body) => create.mutate(body)}>
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </MemberForm>
      )}
    </DialogButton>
  );
}
