import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { allPages } from '../kit/all-pages.js';
import { answer, api, type Schemas } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { Form, InputField, SelectField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import { messageStart, questionStart } from './starts.js';
import { useWorkflowTexts } from './texts.js';
import { useImport, type WorkflowFile } from './use-import.js';

const starts = ['question', 'message', 'copy'] as const;
type Start = (typeof starts)[number];

/** Creates a workflow that begins with something that can be played at once. */
export function CreateWorkflow(): ReactNode {
  const texts = useWorkflowTexts();
  return <DialogButton title={texts.create}>{() => <CreateForm />}</DialogButton>;
}

function CreateForm(): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid } = useWorkspace();
  const [name, setName] = useState('');
  const [start, setStart] = useState<Start>('question');
  const [copied, setCopied] = useState('');
  const create = useImport();
  // A repetition sends the same tasks.
  const [roots] = useState(() => ({ question: questionStart(texts), message: messageStart(texts) }));
  const path = { workspace_uuid: uuid };
  const { data } = useQuery({
    queryKey: [uuid, 'workflows', 'to-copy'],
    enabled: start === 'copy',
    queryFn: ({ signal }) =>
      allPages((page) => {
        const query = { page, pageSize: 100, sortBy: 'name', sortOrder: 'asc' } as const;
        return answer(api.GET('/w/{workspace_uuid}/workflows', { params: { path, query }, signal }));
      }),
  });
  const sources = (data?.items ?? []).filter(({ activeRevisionId }) => activeRevisionId !== null);
  const source = sources.find(({ id }) => String(id) === copied) ?? sources[0];
  const fileOf = async (): Promise<WorkflowFile> => {
    if (start !== 'copy') {
      return { name, rootTask: roots[start] as unknown as Schemas['WorkflowTaskInput'] };
    }
    const ids = { workflow_id: source?.id ?? 0, revision_id: source?.activeRevisionId ?? 0 };
    const file = await answer(
      api.GET('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}/export', {
        params: { path: { ...path, ...ids } },
      }),
    );
    return { ...(file as WorkflowFile), name };
  };
  return (
    <Form error={create.error} onSubmit={() => create.mutate(fileOf)}>
      <InputField
        label={texts.name}
        pointer="/name"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label={texts.startWith}
        pointer="/rootTask"
        value={start}
        onChange={({ target }) => setStart(target.value as Start)}
      >
        {starts.map((one) => (
          <option key={one} value={one}>
            {texts.starts[one]}
          </option>
        ))}
      </SelectField>
      {start === 'copy' ? (
        <SelectField
          label={texts.copyOf}
          pointer="/fromRevisionId"
          value={source === undefined ? '' : String(source.id)}
          onChange={({ target }) => setCopied(target.value)}
        >
          {sources.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </SelectField>
      ) : null}
      <button
        type="submit"
        className="primary"
        disabled={create.isPending || (start === 'copy' && source === undefined)}
      >
        {texts.createIt}
      </button>
    </Form>
  );
}
