import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { DialogButton } from '../kit/dialog.js';
import { Form, InputField } from '../kit/field.js';
import { useAct } from '../kit/use-act.js';
import { useRequestKey } from '../kit/use-request-key.js';
import { useWorkspace } from '../kit/workspace.js';
import { useFileTexts } from './texts.js';

/** Makes a folder in another one, or at the root, and goes there. */
export function NewFolder({ parent }: { parent: number | undefined }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/folders', {
          params: { path: { workspace_uuid: uuid }, header },
          body: { name: name.trim(), parentFolderId: parent ?? null },
        }),
      ),
    ['folders', 'list'],
  );
  const submit = () =>
    create.mutate(undefined, {
      onSettled,
      onSuccess: ({ id }) =>
        void navigate({ to: '/w/$workspace/files', params: { workspace: uuid }, search: { folder: id } }),
    });
  return (
    <DialogButton title={texts.newFolder}>
      {() => (
        <Form error={create.error} onSubmit={submit}>
          <InputField
            label={texts.name}
            pointer="/name"
            value={name}
            maxLength={200}
            required
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
