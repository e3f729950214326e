import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { DialogButton } from '../../kit/dialog.js';
import { Form, InputField, SelectField } from '../../kit/field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import type { Role } from './grants.js';
import { useRoleTexts } from './texts.js';

/** Makes a role, which begins without permissions or with those of another one. */
export function NewRole({ roles }: { roles: readonly Role[] }): ReactNode {
  const texts = useRoleTexts();
  const { uuid } = useWorkspace();
  const [name, setName] = useState('');
  const [likeId, setLikeId] = useState(0);
  const { header, onSettled } = useRequestKey();
  const create = useAct(() => {
    const {
      permissions = [],
      useAdmin = false,
      manageWorkspace = false,
    } = roles.find(({ id }) => id === likeId) ?? {};
    const params = { path: { workspace_uuid: uuid }, header };
    const body = { name: name.trim(), permissions, useAdmin, manageWorkspace };
    return answer(api.POST('/w/{workspace_uuid}/member-roles', { params, body }));
  }, ['member-roles']);
  const submit = (close: () => void) =>
    create.mutate(undefined, {
      onSettled,
      onSuccess: () => {
        setName('');
        close();
      },
    });
  return (
    <DialogButton title={texts.newRole}>
      {(close) => (
        <Form error={create.error} onSubmit={() => submit(close)}>
          <InputField
            label={texts.name}
            pointer="/name"
            required
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <SelectField
            label={texts.like}
            pointer="/permissions"
            value={likeId}
            onChange={({ target }) => setLikeId(Number(target.value))}
          >
            <option value={0}>{texts.likeNone}</option>
            {roles.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </SelectField>
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
