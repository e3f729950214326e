import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import type { PageQuery } from '../kit/paged-rows.js';
import { SearchField } from '../kit/search-field.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { CreateWorkflow } from './create-workflow.js';
import { ImportWorkflow } from './import-workflow.js';
import { pageSize, type Workflow } from './queries.js';
import { useWorkflowTexts } from './texts.js';

/** The workflows of the workspace. */
export function WorkflowsPage(): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid, can } = useWorkspace();
  const { workspace } = useParams({ from: '/w/$workspace/workflows' });
  const { search } = useSearch({ from: '/w/$workspace/workflows' });
  const navigate = useNavigate();
  const columns: Column<Workflow>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link to="/w/$workspace/workflows/$workflowId" params={{ workspace, workflowId: String(id) }}>
          {name}
        </Link>
      ),
    },
    { id: 'state', title: texts.state, width: '9rem', cell: (one) => <WorkflowState workflow={one} /> },
    {
      id: 'revision',
      title: texts.revision,
      width: '6rem',
      cell: ({ activeRevisionNumber }) => activeRevisionNumber ?? texts.nothing,
    },
    { id: 'changed', title: texts.changedAt, width: '8rem', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  return (
    <Page
      title={texts.title}
      fills
      acts={
        can('workflows:write') ? (
          <>
            <CreateWorkflow />
            <ImportWorkflow />
          </>
        ) : null
      }
    >
      <div className="filters">
        <SearchField
          label={texts.search}
          value={search}
          onSearch={(text) => void navigate({ to: '.', search: { search: text }, replace: true })}
        />
      </div>
      <Grid
        label={texts.title}
        columns={columns}
        pageSize={pageSize}
        page={(number) => workflowsPage(uuid, search, number)}
        empty={search === undefined ? texts.none : texts.noneFound}
      />
    </Page>
  );
}

function workflowsPage(uuid: string, search: string | undefined, page: number): PageQuery<Workflow> {
  const path = { workspace_uuid: uuid };
  const query = { search, page, pageSize, sortBy: 'updatedAt', sortOrder: 'desc' } as const;
  return {
    queryKey: [uuid, 'workflows', { search, page }],
    queryFn: ({ signal }) =>
      answer(api.GET('/w/{workspace_uuid}/workflows', { params: { path, query }, signal })),
  };
}

export function WorkflowState({ workflow }: { workflow: Workflow }): ReactNode {
  const { states } = useWorkflowTexts();
  if (workflow.archived) return <Status>{states.archived}</Status>;
  if (workflow.heldAt !== null) return <Status tone="warning">{states.held}</Status>;
  if (workflow.activeRevisionId === null) return <Status>{states.draft}</Status>;
  return <Status tone="done">{states.published}</Status>;
}
