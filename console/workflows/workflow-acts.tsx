import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, TextAreaField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import type { Workflow } from './queries.js';
import { useWorkflowTexts } from './texts.js';

interface Props {
  workflow: Workflow;
}

function useWorkflowChange(workflowId: number) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const path = { workspace_uuid: uuid, workflow_id: workflowId };
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: [uuid, 'workflows'] });
    return queries.invalidateQueries({ queryKey: [uuid, 'workflow', workflowId] });
  };
  return { uuid, path, onSuccess };
}

/** Lets all assignments of a workflow rest, or go on. */
export function HoldOrResume({ workflow }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const { path, onSuccess } = useWorkflowChange(workflow.id);
  const [reason, setReason] = useState('');
  const hold = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/hold', {
          params: { path },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        }),
      ),
    onSuccess,
  });
  const resume = useMutation({
    mutationFn: () =>
      answer(api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/resume', { params: { path } })),
    onSuccess,
  });
  if (workflow.heldAt !== null) {
    return (
      <>
        <button type="button" disabled={resume.isPending} onClick={() => resume.mutate()}>
          {texts.resume}
        </button>
        <ErrorNotice error={resume.error} />
      </>
    );
  }
  return (
    <DialogButton title={texts.hold}>
      {(close) => (
        <Form error={hold.error} onSubmit={() => hold.mutate(undefined, { onSuccess: close })}>
          <p>{texts.holdConsequence}</p>
          <TextAreaField
            label={texts.holdReason}
            pointer="/reason"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <button type="submit" className="primary" disabled={hold.isPending}>
            {texts.hold}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}

export function Archive({ workflow }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const navigate = useNavigate();
  const { uuid, path, onSuccess } = useWorkflowChange(workflow.id);
  const archive = useMutation({
    mutationFn: () => answer(api.DELETE('/w/{workspace_uuid}/workflows/{workflow_id}', { params: { path } })),
    onSuccess: async () => {
      await onSuccess();
      await navigate({ to: '/w/$workspace/workflows', params: { workspace: uuid } });
    },
  });
  return (
    <DialogButton title={texts.archive}>
      {() => (
        <>
          <p>{texts.archiveConsequence}</p>
          <ErrorNotice error={archive.error} />
          <button
            type="button"
            className="danger"
            disabled={archive.isPending}
            onClick={() => archive.mutate()}
          >
            {texts.archive}
          </button>
        </>
      )}
    </DialogButton>
  );
}
