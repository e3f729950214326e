import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { Bars } from './bars.js';
import { Figure } from './figure.js';
import { assignmentsQuery, workflowsQuery } from './queries.js';
import { useFigureTexts } from './texts.js';

interface Props {
  days: number;
  workflow: number | undefined;
  onWorkflow(workflow: number | undefined): void;
}

/** What became of the assignments that began, of all workflows or of one. */
export function AssignmentsFigure({ days, workflow, onWorkflow }: Props): ReactNode {
  const texts = useFigureTexts();
  const { uuid, can } = useWorkspace();
  const { data: workflows } = useQuery({ ...workflowsQuery(uuid), enabled: can('workflows:read') });
  return (
    <Figure
      title={texts.assignments}
      acts={
        workflows === undefined ? undefined : (
          <select
            aria-label={texts.workflow}
            value={workflow ?? ''}
            onChange={({ target }) => onWorkflow(target.value === '' ? undefined : Number(target.value))}
          >
            <option value="">{texts.allWorkflows}</option>
            {workflows.items.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )
      }
      query={useQuery(assignmentsQuery(uuid, days, workflow))}
      has={(states) => states.some(({ total }) => total > 0)}
      table={(states) => ({
        head: [texts.state, texts.count],
        rows: states.map(({ status, total }) => [texts.states[status], total]),
      })}
    >
      {(states) => (
        <Bars
          bars={states.map(({ status, total }) => ({
            id: status,
            name: (
              <Link
                to="/w/$workspace/runs"
                params={{ workspace: uuid }}
                search={{ status, workflowId: workflow }}
              >
                {texts.states[status]}
              </Link>
            ),
            value: total,
          }))}
        />
      )}
    </Figure>
  );
}
