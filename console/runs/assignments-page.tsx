import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { Filters } from './filters.js';
import { type Assignment, assignmentsPage, pageSize } from './queries.js';
import type { AssignmentsSearch } from './search.js';
import { StartAssignment } from './start-assignment.js';
import { useRunTexts } from './texts.js';
import { WaitsFor } from './waits-for.js';

/** Who is in which workflow, in which task, and what each waits for. */
export function AssignmentsPage(): ReactNode {
  const texts = useRunTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid };
  const search = useSearch({ from: '/w/$workspace/runs/' });
  const navigate = useNavigate({ from: '/w/$workspace/runs' });
  const change = (changed: AssignmentsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const columns: Column<Assignment>[] = [
    {
      id: 'member',
      title: texts.member,
      cell: ({ id, memberId, memberName }) => (
        <Link to="/w/$workspace/runs/$assignmentId" params={{ ...params, assignmentId: String(id) }}>
          {memberName ?? filled(texts.unknownMember, { id: memberId })}
        </Link>
      ),
    },
    {
      id: 'workflow',
      title: texts.workflow,
      cell: ({ workflowId, workflowName }) =>
        can('workflows:read') ? (
          <Link
            to="/w/$workspace/runs/workflows/$workflowId"
            params={{ ...params, workflowId: String(workflowId) }}
          >
            {workflowName}
          </Link>
        ) : (
          workflowName
        ),
    },
    { id: 'task', title: texts.task, cell: ({ taskName }) => taskName },
    {
      id: 'status',
      title: texts.status,
      width: '8.5rem',
      sortBy: 'status',
      cell: ({ status }) => <StatusOf status={status} />,
    },
    {
      id: 'begun',
      title: texts.begun,
      width: '8rem',
      sortBy: 'createdAt',
      cell: ({ createdAt }) => <Ago at={createdAt} />,
    },
    {
      id: 'waits',
      title: texts.waitsFor,
      width: '26rem',
      cell: (one) => <WaitsFor assignment={one} />,
    },
  ];
  const { sortBy = 'createdAt', sortOrder = 'desc', ...filter } = search;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page
      title={texts.title}
      fills
      acts={can('assignments:write') && can('members:read') ? <StartAssignment /> : undefined}
    >
      <Filters search={search} change={change} />
      <Grid
        label={texts.title}
        columns={columns}
        pageSize={pageSize}
        page={(page) => assignmentsPage(uuid, search, page)}
        sort={{ sortBy, sortOrder }}
        onSort={(sort) => change(sort as AssignmentsSearch)}
        empty={isFiltered ? texts.noneFound : texts.none}
      />
    </Page>
  );
}

export function StatusOf({ status }: Pick<Assignment, 'status'>): ReactNode {
  const texts = useRunTexts();
  const tone = { active: 'quiet', completed: 'done', cancelled: 'warning', failed: 'danger' } as const;
  return <Status tone={tone[status]}>{texts.statuses[status]}</Status>;
}
