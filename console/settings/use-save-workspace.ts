import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api, ProblemError, type Schemas } from '../kit/api.js';
import { useWorkspace } from '../kit/workspace.js';
import { useSettingsTexts } from './texts.js';

type Workspace = Schemas['WorkspaceResponse'];

/**
 * Saves fields of the workspace. Where somebody else has changed one of them since it was changed here, nothing is saved the first
 * time: then it is known, and saving again puts the own values in place of the others.
 */
export function useSaveWorkspace({ isChanged }: { isChanged: boolean }) {
  const texts = useSettingsTexts();
  const { uuid, workspace } = useWorkspace();
  const queries = useQueryClient();
  const shown = useRef(workspace);
  if (!isChanged) shown.current = workspace;
  const params = { path: { workspace_uuid: uuid } };
  return useMutation({
    mutationFn: async (changes: Partial<Workspace>) => {
      const now = await answer(api.GET('/w/{workspace_uuid}', { params }));
      const before = shown.current;
      shown.current = now;
      const fields = Object.keys(changes) as (keyof Workspace)[];
      if (fields.some((field) => JSON.stringify(now[field]) !== JSON.stringify(before[field]))) {
        throw new ProblemError({ status: 412, code: 'precondition_failed', detail: texts.changedMeanwhile });
      }
      shown.current = await answer(api.PUT('/w/{workspace_uuid}', { params, body: changes }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [uuid, 'workspace'] }),
  });
}
