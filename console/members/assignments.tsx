import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Section, Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { List } from './list.js';
import { useMemberTexts } from './texts.js';

const tones = { active: 'done', completed: 'quiet', cancelled: 'quiet', failed: 'danger' } as const;

/** The newest assignments of a member, with the task that each is in. */
export function Assignments({ memberId }: { memberId: number }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const query = { memberId, pageSize: 10, sortBy: 'createdAt', sortOrder: 'desc' } as const;
  const list = useQuery({
    queryKey: [uuid, 'assignment', 'of-member', memberId],
    queryFn: () =>
      answer(
        api.GET('/w/{workspace_uuid}/assignments', { params: { path: { workspace_uuid: uuid }, query } }),
      ),
  });
  return (
    <Section title={texts.assignments}>
      <List
        list={list}
        empty={texts.noAssignments}
        columns={[
          [
            texts.workflow,
            ({ id, workflowName }) => (
              <Link
                to="/w/$workspace/runs/$assignmentId"
                params={{ workspace: uuid, assignmentId: String(id) }}
              >
                {workflowName}
              </Link>
            ),
          ],
          [
            texts.task,
            ({ currentTask, taskName, status }) =>
              status === 'active' ? (taskName ?? currentTask?.taskName) : null,
          ],
          [
            texts.state,
            ({ status }) => <Status tone={tones[status]}>{texts.assignmentStates[status]}</Status>,
          ],
          [texts.when, ({ createdAt }) => <At at={createdAt} withDay />],
        ]}
      />
    </Section>
  );
}
