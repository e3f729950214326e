import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { pathOf, type RevisionPath } from './queries.js';
import { useWorkflowTexts } from './texts.js';

/** What the browser does with a file that one downloads. */
export function saveFile(name: string, content: unknown): void {
  const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
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
