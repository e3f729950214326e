import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, hasNoAnswer, type Schemas } from '../kit/api.js';
import { newUuid } from '../kit/new-uuid.js';
import { useWorkspace } from '../kit/workspace.js';

export type WorkflowFile = Schemas['ImportWorkflowRequest'];

/** Makes a workflow with a draft of a file or of what stands for one, and opens it. */
export function useImport() {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // A repetition after a lost answer makes no second one.
  const [key, setKey] = useState<string>(() => newUuid());
  return useMutation({
    mutationFn: async (file: WorkflowFile | (() => Promise<WorkflowFile>)) =>
      answer(
        api.POST('/w/{workspace_uuid}/workflows/import', {
          params: { path: { workspace_uuid: uuid }, header: { 'Idempotency-Key': key } },
          body: typeof file === 'function' ? await file() : file,
        }),
      ),
    onError: (error) => {
      if (!hasNoAnswer(error)) setKey(newUuid());
    },
    onSuccess: async ({ workflow }) => {
      await queries.invalidateQueries({ queryKey: [uuid, 'workflows'] });
      await navigate({
        to: '/w/$workspace/workflows/$workflowId',
        params: { workspace: uuid, workflowId: String(workflow.id) },
      });
    },
  });
}
