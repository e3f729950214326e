import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { Editor } from './editor.js';
import { ExportFile } from './export-file.js';
import {
  type RevisionPath,
  type RevisionSummary,
  revisionQuery,
  revisionsQuery,
  type Workflow,
  workflowQuery,
} from './queries.js';
import { useWorkflowTexts } from './texts.js';
import { Archive, HoldOrResume } from './workflow-acts.js';
import { WorkflowState } from './workflows-page.js';

/** One workflow: its tasks, what is wrong with them, how it plays, and the way to publish it. */
export function EditorPage(): ReactNode {
  const { uuid } = useWorkspace();
  const { loading } = useTexts();
  const { workflowId } = useParams({ from: '/w/$workspace/workflows/$workflowId' });
  const id = Number(workflowId);
  const workflow = useQuery(workflowQuery(uuid, id));
  const revisions = useQuery(revisionsQuery(uuid, id));
  if (workflow.data === undefined || revisions.data === undefined) {
    const error = workflow.error ?? revisions.error;
    return (
      <div className="plain">
        {error === null ? <p role="status">{loading}</p> : <ErrorNotice error={error} />}
      </div>
    );
  }
  return <OpenWorkflow workflow={workflow.data} revisions={revisions.data.items} />;
}

function OpenWorkflow({
  workflow,
  revisions,
}: {
  workflow: Workflow;
  revisions: readonly RevisionSummary[];
}): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid, can } = useWorkspace();
  const { revision: wanted } = useSearch({ from: '/w/$workspace/workflows/$workflowId' });
  const navigate = useNavigate();
  const shown =
    revisions.find(({ id }) => id === wanted) ??
    revisions.find(({ state }) => state === 'draft') ??
    revisions.find(({ active }) => active) ??
    revisions[0];
  const mayChange = can('workflows:write') && !workflow.archived;
  const [notice, setNotice] = useState('');
  const at = shown && { uuid, workflowId: workflow.id, revisionId: shown.id };
  return (
    <Page
      title={workflow.name}
      above={
        <Link to="/w/$workspace/workflows" params={{ workspace: uuid }}>
          {texts.all}
        </Link>
      }
      acts={
        <>
          <WorkflowState workflow={workflow} />
          {at === undefined ? null : <ExportFile at={at} name={workflow.name} />}
          {mayChange ? <HoldOrResume workflow={workflow} /> : null}
          {mayChange ? <Archive workflow={workflow} /> : null}
        </>
      }
    >
      {workflow.heldAt === null ? null : (
        <p className="banner">
          {texts.heldSince} <At at={workflow.heldAt} withDay /> {workflow.heldReason}
        </p>
      )}
      {notice === '' ? null : <p role="status">{notice}</p>}
      <div className="acts">
        {revisions.length === 0 ? null : (
          <select
            aria-label={texts.revision}
            value={shown?.id}
            onChange={({ target }) =>
              void navigate({ to: '.', search: (old) => ({ ...old, revision: Number(target.value) }) })
            }
          >
            {revisions.map(({ id, number, state, active }) => (
              <option key={id} value={id}>
                {filled(state === 'draft' ? texts.draftOf : texts.published, { number })}
                {active ? ` (${texts.inUse})` : ''}
              </option>
            ))}
          </select>
        )}
        {mayChange && shown?.state !== 'draft' ? <BeginDraft workflow={workflow} from={shown?.id} /> : null}
        {mayChange && at !== undefined && shown?.state === 'draft' ? <DropDraft at={at} /> : null}
      </div>
      {shown?.state === 'published' ? (
        <p className="quiet">
          {shown.active ? texts.readOnly : texts.readOnlyOld} {mayChange ? null : texts.noRight}
        </p>
      ) : null}
      {at === undefined || shown === undefined ? (
        <p>{texts.noTasks}</p>
      ) : (
        <Revision
          key={shown.id}
          at={at}
          workflow={workflow}
          isEditable={mayChange && shown.state === 'draft'}
          onPublished={() => {
            setNotice(texts.isPublished);
            void navigate({ to: '.', search: (old) => ({ ...old, revision: undefined }) });
          }}
        />
      )}
    </Page>
  );
}

interface RevisionProps {
  at: RevisionPath;
  workflow: Workflow;
  isEditable: boolean;
  onPublished(): void;
}

function Revision({ at, ...others }: RevisionProps): ReactNode {
  const { loading } = useTexts();
  const { data, error } = useQuery(revisionQuery(at));
  if (data === undefined) {
    return error === null ? <p role="status">{loading}</p> : <ErrorNotice error={error} />;
  }
  return <Editor at={at} stored={data} {...others} />;
}

/** A draft that begins as a copy of the revision that is shown. */
function BeginDraft({ workflow, from }: { workflow: Workflow; from: number | undefined }): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const begin = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/w/{workspace_uuid}/workflows/{workflow_id}/revisions', {
          params: { path: { workspace_uuid: uuid, workflow_id: workflow.id } },
          body: from === undefined ? {} : { fromRevisionId: from },
        }),
      ),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: [uuid, 'workflow', workflow.id, 'revisions'] });
      await navigate({ to: '.', search: (old) => ({ ...old, revision: id }) });
    },
  });
  return (
    <>
      <button type="button" className="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
        {texts.begin}
      </button>
      <ErrorNotice error={begin.error} />
    </>
  );
}

function DropDraft({ at }: { at: RevisionPath }): ReactNode {
  const texts = useWorkflowTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const drop = useMutation({
    mutationFn: () =>
      answer(
        api.DELETE('/w/{workspace_uuid}/workflows/{workflow_id}/revisions/{revision_id}', {
          params: {
            path: { workspace_uuid: at.uuid, workflow_id: at.workflowId, revision_id: at.revisionId },
          },
        }),
      ),
    onSuccess: async () => {
      await navigate({ to: '.', search: {} });
      await queries.invalidateQueries({ queryKey: [at.uuid, 'workflow', at.workflowId, 'revisions'] });
    },
  });
  return (
    <DialogButton title={texts.dropDraft}>
      {() => (
        <>
          <p>{texts.dropConsequence}</p>
          <ErrorNotice error={drop.error} />
          <button type="button" className="danger" disabled={drop.isPending} onClick={() => drop.mutate()}>
            {texts.dropDraft}
          </button>
        </>
      )}
    </DialogButton>
  );
}
