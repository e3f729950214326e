import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { DialogButton } from '../../kit/dialog.js';
import { Form, InputField } from '../../kit/field.js';
import { SecretField } from '../../kit/secret-field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import { pathOf, type Server, serversChanged } from './queries.js';
import { useMcpServerTexts } from './texts.js';

interface Values {
  name: string;
  url: string;
}

/** Adds a server, whose tools are then listed and allowed one by one. */
export function NewServer(): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const [values, setValues] = useState<Values>({ name: '', url: '' });
  const token = useRef<HTMLInputElement>(null);
  const { header, onSettled } = useRequestKey();
  const create = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/mcp-servers', {
          params: { path: { workspace_uuid: uuid }, header },
          body: { ...trimmed(values), token: token.current?.value || null },
        }),
      ),
    ...serversChanged,
  );
  const submit = () =>
    create.mutate(undefined, {
      onSettled,
      onSuccess: ({ id }) =>
        void navigate({
          to: '/w/$workspace/settings/mcp-servers/$serverId',
          params: { workspace: uuid, serverId: String(id) },
        }),
    });
  return (
    <DialogButton title={texts.newServer}>
      {() => (
        <Form error={create.error} onSubmit={submit}>
          <Fields value={values} onChange={setValues} token={token} tokenHint={texts.tokenHint} />
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.add}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}

/** Changes a server. An empty token is left as it is; the API asks for it again with another address. */
export function ChangeServer({ server }: { server: Server }): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const [values, setValues] = useState<Values>({ name: server.name, url: server.url });
  const [isRemoved, setIsRemoved] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  const change = useAct(
    async () => {
      const { name, url } = trimmed(values);
      const written = token.current?.value ?? '';
      const body: Schemas['UpdateMcpServerRequest'] = {
        ...(name === server.name ? {} : { name }),
        ...(url === server.url ? {} : { url }),
        ...(isRemoved ? { token: null } : written === '' ? {} : { token: written }),
      };
      if (Object.keys(body).length === 0) return;
      const params = { path: pathOf(uuid, server.id) };
      await answer(api.PUT('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}', { params, body }));
    },
    ...serversChanged,
  );
  return (
    <DialogButton title={texts.change}>
      {(close) => (
        <Form error={change.error} onSubmit={() => change.mutate(undefined, { onSuccess: close })}>
          <Fields
            value={values}
            onChange={setValues}
            token={token}
            tokenHint={server.hasToken ? texts.tokenKept : texts.tokenHint}
          />
          {server.hasToken ? (
            <label>
              <input
                type="checkbox"
                checked={isRemoved}
                onChange={({ target }) => setIsRemoved(target.checked)}
              />{' '}
              {texts.noToken}
            </label>
          ) : null}
          <button type="submit" className="primary" disabled={change.isPending}>
            {texts.save}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}

const trimmed = ({ name, url }: Values): Values => ({ name: name.trim(), url: url.trim() });

interface FieldsProps {
  value: Values;
  onChange(value: Values): void;
  token: RefObject<HTMLInputElement | null>;
  tokenHint: string;
}

function Fields({ value, onChange, token, tokenHint }: FieldsProps): ReactNode {
  const texts = useMcpServerTexts();
  return (
    <>
      <InputField
        label={texts.name}
        pointer="/name"
        hint={texts.nameHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={40}
        value={value.name}
        onChange={({ target }) => onChange({ ...value, name: target.value })}
      />
      <InputField
        label={texts.address}
        pointer="/url"
        hint={texts.addressHint}
        type="url"
        dir="ltr"
        autoComplete="off"
        required
        maxLength={2_048}
        value={value.url}
        onChange={({ target }) => onChange({ ...value, url: target.value })}
      />
      <SecretField
        label={texts.token}
        pointer="/token"
        hint={tokenHint}
        field={token}
        minLength={8}
        maxLength={4_096}
      />
    </>
  );
}
