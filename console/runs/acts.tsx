import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { useWorkspace } from '../kit/workspace.js';
import { type Assignment, assignmentChanged, selectTask } from './queries.js';
import { Reason, reasonOf } from './reason.js';
import { useRunTexts } from './texts.js';

/** What one can do with an active assignment, as far as one may. */
export function Acts({ assignment }: { assignment: Assignment }): ReactNode {
  const { can } = useWorkspace();
  if (assignment.status !== 'active') return null;
  return (
    <>
      {can('chats:write') && assignment.waits?.paused === false ? <ToPerson assignment={assignment} /> : null}
      {can('assignments:write') ? <Move assignment={assignment} /> : null}
      {can('assignments:write') ? <Cancel id={assignment.id} /> : null}
    </>
  );
}

function ToPerson({ assignment: { id, chatId } }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, chat_id: chatId } };
  return (
    <AsksFirst
      title={texts.toPerson}
      help={texts.toPersonHelp}
      act={() => answer(api.PUT('/w/{workspace_uuid}/chats/{chat_id}', { params, body: { paused: true } }))}
      changes={[...assignmentChanged(id), ['chat', chatId]]}
    />
  );
}

function Move({ assignment: { id, rootTask } }: { assignment: Assignment }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const [taskId, setTaskId] = useState('');
  return (
    <AsksFirst
      title={texts.move}
      help={texts.moveHelp}
      disabled={taskId === ''}
      act={() => selectTask(uuid, id, Number(taskId))}
      changes={assignmentChanged(id)}
    >
      <select aria-label={texts.chooseTask} value={taskId} onChange={({ target }) => setTaskId(target.value)}>
        <option value="">{texts.chooseTask}</option>
        {rootTask === undefined ? null : optionsOf(rootTask, 0)}
      </select>
    </AsksFirst>
  );
}

type Task = NonNullable<Assignment['rootTask']>;

function optionsOf({ id, taskName, children }: Task, depth: number): ReactNode {
  return [
    <option key={id} value={id}>
      {'\u00a0\u00a0'.repeat(depth) + taskName}
    </option>,
    ...children.map((child) => optionsOf(child, depth + 1)),
  ];
}

function Cancel({ id }: { id: number }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, assignment_id: id } };
  const [reason, setReason] = useState('');
  return (
    <AsksFirst
      title={texts.cancelIt}
      help={texts.cancelHelp}
      tone="danger"
      act={() =>
        answer(
          api.POST('/w/{workspace_uuid}/assignments/{assignment_id}/cancel', {
            params,
            body: { reason: reasonOf(reason) },
          }),
        )
      }
      changes={assignmentChanged(id)}
    >
      <Reason value={reason} onChange={setReason} />
    </AsksFirst>
  );
}
