import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { useWorkspace } from '../kit/workspace.js';
import { Legend, Stacks } from './bars.js';
import { Figure } from './figure.js';
import { outcomes, outcomesQuery, workflowsQuery } from './queries.js';
import { useFigureTexts } from './texts.js';

interface Props {
  days: readonly string[];
  workflow: number | undefined;
  onWorkflow(workflow: number | undefined): void;
}

/** How many are shown by themselves; the table has all. */
const shown = 12;

/** What became of the assignments that began, by workflow, or by the task in which those of one are or ended. */
export function AssignmentsFigure({ days, workflow, onWorkflow }: Props): ReactNode {
  const texts = useFigureTexts();
  const { uuid, can } = useWorkspace();
  const { data: workflows } = useQuery({ ...workflowsQuery(uuid), enabled: can('workflows:read') });
  const names = outcomes.map((status) => texts.states[status]);
  return (
    <Figure
      title={texts.assignments}
      acts={
        workflows === undefined ? undefined : (
          <Choice
            label={texts.workflow}
            all={texts.allWorkflows}
            value={workflow}
            options={workflows.items.map(({ id, name }) => [id, name] as const)}
            onChange={onWorkflow}
          />
        )
      }
      query={useQuery(outcomesQuery(uuid, days, workflow))}
      has={({ total }) => total > 0}
      table={({ items }) => ({
        head: [texts.workflow, ...(workflow === undefined ? [] : [texts.task, texts.revision]), ...names],
        rows: items.map(({ workflowName, taskName = '', revisionNumber = '', ...counts }) => [
          workflowName,
          ...(workflow === undefined ? [] : [taskName, revisionNumber]),
          ...outcomes.map((status) => counts[status]),
        ]),
      })}
    >
      {({ items, ...counts }) => (
        <>
          <Legend
            bars={outcomes.map((status, at) => ({
              id: status,
              name: (
                <Link
                  to="/w/$workspace/runs"
                  params={{ workspace: uuid }}
                  search={{ status, workflowId: workflow }}
                >
                  {names[at]}
                </Link>
              ),
              value: counts[status],
            }))}
          />
          <h3>{workflow === undefined ? texts.byWorkflow : texts.byTask}</h3>
          <Stacks
            stacks={items
              .slice(0, shown)
              .map(({ workflowId, workflowName, taskId, taskName, revisionNumber, ...item }) => ({
                id: `${workflowId} ${revisionNumber} ${taskId}`,
                name: (
                  <Link to="/w/$workspace/runs" params={{ workspace: uuid }} search={{ workflowId, taskId }}>
                    {workflow === undefined
                      ? workflowName
                      : `${taskName ?? texts.noTask} (${revisionNumber})`}
                  </Link>
                ),
                values: outcomes.map((status) => item[status]),
              }))}
          />
        </>
      )}
    </Figure>
  );
}
