import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { DialogButton } from '../../kit/dialog.js';
import { Form, InputField, SelectField } from '../../kit/field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import type { Role } from '../roles/grants.js';
import { usePeopleTexts } from './texts.js';

/** Adds a person by the address that it signs in with, and shows what to tell it. */
export function AddColleague({ roles }: { roles: readonly Role[] }): ReactNode {
  const texts = usePeopleTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [roleId, setRoleId] = useState('');
  const { header, onSettled } = useRequestKey();
  const add = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/members', {
          params: { path: { workspace_uuid: uuid }, header },
          body: { name: name.trim() || null, email: email.trim(), memberRoleId: Number(roleId) },
        }),
      ),
    ['members'],
  );
  const submit = () =>
    add.mutate(undefined, {
      onSettled,
      onSuccess: ({ id }) =>
        void navigate({
          to: '/w/$workspace/settings/people/$memberId',
          params: { workspace: uuid, memberId: String(id) },
        }),
    });
  return (
    <DialogButton title={texts.add}>
      {() => (
        <Form error={add.error} onSubmit={submit}>
          <p>{texts.addHelp}</p>
          <InputField
            label={texts.email}
            pointer="/email"
            type="email"
            autoComplete="off"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <InputField
            label={texts.name}
            pointer="/name"
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <SelectField
            label={texts.role}
            pointer="/memberRoleId"
            required
            value={roleId}
            onChange={({ target }) => setRoleId(target.value)}
          >
            <option value="">{texts.chooseRole}</option>
            {roles.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </SelectField>
          <button type="submit" className="primary" disabled={add.isPending}>
            {texts.addNow}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
