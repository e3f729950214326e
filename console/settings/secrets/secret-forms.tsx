import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { DialogButton } from '../../kit/dialog.js';
import { Form, InputField } from '../../kit/field.js';
import { LinesField } from '../../kit/lines-field.js';
import { SecretField } from '../../kit/secret-field.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import type { Secret } from './queries.js';
import { useSecretTexts } from './texts.js';

/** Makes a secret. A request that is repeated finds its name taken, and makes nothing twice. */
export function NewSecret(): ReactNode {
  const texts = useSecretTexts();
  const { uuid } = useWorkspace();
  const [name, setName] = useState('');
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const value = useRef<HTMLInputElement>(null);
  const create = useAct(
    () =>
      answer(
        api.POST('/w/{workspace_uuid}/secrets', {
          params: { path: { workspace_uuid: uuid } },
          body: { name: name.trim(), value: value.current?.value ?? '', hosts: [...hosts] },
        }),
      ),
    ['secrets'],
  );
  const submit = (close: () => void) =>
    create.mutate(undefined, {
      onSuccess: () => {
        setName('');
        setHosts([]);
        close();
      },
    });
  return (
    <DialogButton title={texts.newSecret}>
      {(close) => (
        <Form error={create.error} onSubmit={() => submit(close)}>
          <InputField
            label={texts.name}
            pointer="/name"
            hint={texts.nameHint}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={63}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <LinesField
            label={texts.hosts}
            pointer="/hosts"
            hint={texts.hostsHint}
            value={hosts}
            onChange={setHosts}
          />
          <Value field={value} />
          <button type="submit" className="primary" disabled={create.isPending}>
            {texts.create}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}

/** Gives a secret another value, and if need be other hosts: the API takes these with a value only. */
export function ReplaceValue({ secret }: { secret: Secret }): ReactNode {
  const texts = useSecretTexts();
  const { uuid } = useWorkspace();
  /** As they are entered, until the dialog closes; the API keeps those it has where none are sent. */
  const [hosts, setHosts] = useState<string[]>();
  const value = useRef<HTMLInputElement>(null);
  const replace = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/secrets/{secret_id}', {
          params: { path: { workspace_uuid: uuid, secret_id: secret.id } },
          body: { value: value.current?.value ?? '', ...(hosts === undefined ? {} : { hosts }) },
        }),
      ),
    ['secrets'],
  );
  return (
    <>
      <DialogButton title={texts.replace} onClose={() => setHosts(undefined)}>
        {(close) => (
          <Form error={replace.error} onSubmit={() => replace.mutate(undefined, { onSuccess: close })}>
            <p>{filled(texts.replaceHelp, { name: secret.name })}</p>
            <Value field={value} />
            <LinesField
              label={texts.hosts}
              pointer="/hosts"
              hint={texts.hostsHint}
              value={hosts ?? secret.hosts}
              onChange={setHosts}
            />
            <button type="submit" className="primary" disabled={replace.isPending}>
              {texts.replace}
            </button>
          </Form>
        )}
      </DialogButton>
      {replace.isSuccess ? <span role="status">{texts.replaced}</span> : null}
    </>
  );
}

function Value({ field }: { field: RefObject<HTMLInputElement | null> }): ReactNode {
  const texts = useSecretTexts();
  return (
    <SecretField
      label={texts.value}
      pointer="/value"
      hint={texts.valueHint}
      field={field}
      required
      minLength={8}
      maxLength={4_096}
    />
  );
}
