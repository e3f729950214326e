import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { Form, SelectField } from '../kit/field.js';
import { MemberPicker } from '../kit/member-picker.js';
import { useAct } from '../kit/use-act.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { workflowsOf } from './queries.js';
import { useRunTexts } from './texts.js';

/** Begins a workflow for a member, and shows the assignment. */
export function StartAssignment(): ReactNode {
  const texts = useRunTexts();
  return <DialogButton title={texts.start}>{(close) => <StartForm close={close} />}</DialogButton>;
}

function StartForm({ close }: { close(): void }): ReactNode {
  const texts = useRunTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const { data: workflows } = useQuery(workflowsOf(uuid));
  const [memberId, setMemberId] = useState<number>();
  const [workflowId, setWorkflowId] = useState('');
  const [isTest, setIsTest] = useState(false);
  const { header, onSettled } = useRequestKey();
  const params = { path: { workspace_uuid: uuid }, header };
  const start = useAct(
    (body: Schemas['CreateAssignmentRequest']) =>
      answer(api.POST('/w/{workspace_uuid}/assignments', { params, body })),
    ['assignments'],
  );
  const submit = () =>
    start.mutate(
      { workflowId: Number(workflowId), memberId, isTest },
      {
        onSettled,
        onSuccess: ({ id }) => {
          close();
          const to = { workspace: uuid, assignmentId: String(id) };
          void navigate({ to: '/w/$workspace/runs/$assignmentId', params: to });
        },
      },
    );
  const usable = workflows?.items.filter(({ canUse }) => canUse) ?? [];
  return (
    <Form error={start.error} onSubmit={submit}>
      <p>{texts.startHelp}</p>
      <MemberPicker label={texts.member} pointer="/memberId" value={memberId} onChange={setMemberId} />
      <SelectField
        label={texts.workflow}
        pointer="/workflowId"
        required
        value={workflowId}
        onChange={({ target }) => setWorkflowId(target.value)}
      >
        <option value="" />
        {usable.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <label>
        <input type="checkbox" checked={isTest} onChange={({ target }) => setIsTest(target.checked)} />{' '}
        {texts.isTest}
      </label>
      <button
        type="submit"
        className="primary"
        disabled={start.isPending || memberId === undefined || workflowId === ''}
      >
        {texts.start}
      </button>
    </Form>
  );
}
