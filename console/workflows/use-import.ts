import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answer, api, type Schemas } from '../kit/api.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';

export type WorkflowFile = Schemas['ImportWorkflowRequest'];

/** Makes a workflow with a draft of a file or of what stands for one, and opens it. */
export function useImport() {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { header, onSettled } = useRequestKey();
  return useMutation({
    mutationFn: async (file: WorkflowFile | (() => Promise<WorkflowFile>)) =>
      answer(
        api.POST('/w/{workspace_uuid}/workflows/import', {
          params: { path: { workspace_uuid: uuid }, header },
          body: typeof file === 'function' ? await file() : file,
        }),
      ),
    onSettled,
    onSuccess: async ({ workflow }) => {
      await queries.invalidateQueries({ queryKey: [uuid, 'workflows'] });
      await navigate({
        to: '/w/$workspace/workflows/$workflowId',
        params: { workspace: uuid, workflowId: String(workflow.id) },
      });
    },
  });
}
