import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { download } from '../kit/download.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { pathOf, type RevisionPath } from './queries.js';
import { useWorkflowTexts } from './texts.js';

/** Saves a workflow as a file of this computer. */
export function saveFile(name: string, content: unknown): void {
  download(JSON.stringify(content, null, 2), `${name}.json`, 'application/json');
}

/** Saves a revision as a file, which can be imported in another workspace. */
export function ExportFile({ at, name }: { at: RevisionPath; name: string }): ReactNode {
  const texts = useWorkflowTexts();
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}/export', {
          params: { path: pathOf(at) },
        }),
      ),
    onSuccess: (file) => saveFile(name, file),
  });
  return (
    <>
      <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
        {texts.exportFile}
      </button>
      <ErrorNotice error={save.error} />
    </>
  );
}
