import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Choice } from '../kit/choice.js';
import { useKeptFocus } from '../kit/kept-focus.js';
import { FindMember, MemberName } from '../kit/member-picker.js';
import { useWorkspace } from '../kit/workspace.js';
import { countsOf, workflowsOf } from './queries.js';
import { type AssignmentsSearch, ages, statuses } from './search.js';
import { useRunTexts } from './texts.js';

interface Props {
  search: AssignmentsSearch;
  change(changed: AssignmentsSearch): void;
}

/** By what the list is narrowed; all of it stands in the address. */
export function Filters({ search, change }: Props): ReactNode {
  const texts = useRunTexts();
  const { uuid, can } = useWorkspace();
  const { workflowId, memberId } = search;
  const { data: workflows } = useQuery(workflowsOf(uuid));
  return (
    <search className="filters">
      {!can('members:read') ? null : memberId === undefined ? (
        <FindMember onChoose={({ id }) => change({ memberId: id })} />
      ) : (
        <ChosenMember memberId={memberId} onClear={() => change({ memberId: undefined })} />
      )}
      <Choice
        label={texts.workflow}
        all={texts.anyWorkflow}
        value={workflowId}
        options={workflows?.items.map(({ id, name }) => [id, name] as const) ?? []}
        onChange={(chosen) => change({ workflowId: chosen, taskId: undefined })}
      />
      {workflowId === undefined ? null : (
        <TaskFilter
          workflowId={workflowId}
          taskId={search.taskId}
          onChange={(taskId) => change({ taskId })}
        />
      )}
      <Choice
        label={texts.status}
        all={texts.anyStatus}
        value={search.status}
        options={statuses.map((one) => [one, texts.statuses[one]])}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={texts.begun}
        all={texts.anyAge}
        value={search.age}
        options={ages.map((one) => [one, texts.ages[one]])}
        onChange={(age) => change({ age })}
      />
      <label>
        <input
          type="checkbox"
          checked={search.standing === true}
          onChange={({ target }) => change({ standing: target.checked ? true : undefined })}
        />{' '}
        {texts.standing}
      </label>
    </search>
  );
}

interface TaskFilterProps {
  workflowId: number;
  taskId: number | undefined;
  onChange(taskId: number | undefined): void;
}

function TaskFilter({ workflowId, taskId, onChange }: TaskFilterProps): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(countsOf(uuid, workflowId));
  return (
    <Choice
      label={texts.task}
      all={texts.anyTask}
      value={taskId}
      options={
        data?.tasks.map((one) => [one.taskId, `${one.taskName} (${one.revisionNumber})`] as const) ?? []
      }
      onChange={onChange}
    />
  );
}

function ChosenMember({ memberId, onClear }: { memberId: number; onClear(): void }): ReactNode {
  const texts = useRunTexts();
  const clear = useRef<HTMLButtonElement>(null);
  useKeptFocus(clear);
  return (
    <span className="acts">
      <strong>
        <MemberName id={memberId} />
      </strong>
      <button ref={clear} type="button" onClick={onClear}>
        {texts.anyMember}
      </button>
    </span>
  );
}
