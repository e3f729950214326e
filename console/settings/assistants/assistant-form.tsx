import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { ChangesForm } from '../../kit/changes-form.js';
import { keepDraft, readDraft } from '../../kit/drafts.js';
import { Form, InputField, TextAreaField } from '../../kit/field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import styles from './assistants.module.css';
import { flat, flatChanges, nested, requestOf } from './flat-values.js';
import { ModelFields } from './model-fields.js';
import { type Assistant, pathOf } from './queries.js';
import type { Values } from './settings.js';
import { useAssistantTexts } from './texts.js';

/** What an assistant is told, and its models. Who may not change it sees them read-only. */
export function AssistantForm({ assistant }: { assistant: Assistant }): ReactNode {
  const { uuid, can } = useWorkspace();
  const params = { path: pathOf(uuid, assistant.id) };
  if (!can('assistants:write')) {
    return (
      <div className={styles.form}>
        <AssistantFields value={assistant as Values} readOnly onChange={() => undefined} />
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <ChangesForm
        place={`assistant.${assistant.id}`}
        stored={flat(assistant as Values)}
        mayChange
        read={async () =>
          flat((await answer(api.GET('/w/{workspace_uuid}/assistants/{assistant_id}', { params }))) as Values)
        }
        save={(changes, now) => {
          const body = requestOf(changes, now);
          return answer(api.PUT('/w/{workspace_uuid}/assistants/{assistant_id}', { params, body }));
        }}
        reads={[['assistants']]}
      >
        {(value, change) => (
          <AssistantFields
            value={nested(value)}
            readOnly={false}
            onChange={(changed) => change(flatChanges(value, changed))}
          />
        )}
      </ChangesForm>
    </div>
  );
}

/** An assistant that is not there yet: what is written of it stays in this browser until it is made. */
export function NewAssistantForm(): ReactNode {
  const texts = useAssistantTexts();
  const { uuid, me } = useWorkspace();
  const navigate = useNavigate();
  const key = `${uuid}:${me.id}:assistant:new`;
  const [values, setValues] = useState(() => readDraft<Values>(key) ?? {});
  const keep = (next: Values) => {
    keepDraft(key, Object.keys(next).length === 0 ? undefined : next);
    setValues(next);
  };
  const { header, onSettled } = useRequestKey();
  const create = useAct(() => {
    const body = { name: '', instructions: '', ...values };
    const params = { path: { workspace_uuid: uuid }, header };
    return answer(api.POST('/w/{workspace_uuid}/assistants', { params, body }));
  }, ['assistants']);
  const submit = () =>
    create.mutate(undefined, {
      onSettled,
      onSuccess: ({ id }) => {
        keep({});
        void navigate({
          to: '/w/$workspace/settings/assistants/$assistantId',
          params: { workspace: uuid, assistantId: String(id) },
          replace: true,
        });
      },
    });
  const isWritten = Object.keys(values).length > 0;
  return (
    <div className={styles.form}>
      <Form error={create.error} onSubmit={submit}>
        <AssistantFields
          value={values}
          readOnly={create.isPending}
          onChange={(changed) => keep({ ...values, ...changed })}
        />
        <div className="acts">
          <button type="submit" className="primary" disabled={create.isPending || !isWritten}>
            {texts.save}
          </button>
          {isWritten ? (
            <button type="button" disabled={create.isPending} onClick={() => keep({})}>
              {texts.discard}
            </button>
          ) : null}
        </div>
      </Form>
    </div>
  );
}

interface FieldsProps {
  value: Values;
  readOnly: boolean;
  onChange(changed: Values): void;
}

function AssistantFields({ value, readOnly, onChange }: FieldsProps): ReactNode {
  const texts = useAssistantTexts();
  return (
    <>
      <InputField
        label={texts.name}
        pointer="/name"
        required
        maxLength={200}
        readOnly={readOnly}
        value={value.name ?? ''}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextAreaField
        label={texts.instructions}
        pointer="/instructions"
        hint={texts.instructionsHint}
        rows={12}
        required
        maxLength={50_000}
        readOnly={readOnly}
        value={value.instructions ?? ''}
        onChange={({ target }) => onChange({ instructions: target.value })}
      />
      {(['isDefault', 'enabled'] as const).map((field) => (
        <label key={field}>
          <input
            type="checkbox"
            disabled={readOnly}
            checked={value[field] ?? field === 'enabled'}
            onChange={({ target }) => onChange({ [field]: target.checked })}
          />{' '}
          {texts[field]}
        </label>
      ))}
      <ModelFields value={value} readOnly={readOnly} onChange={onChange} />
    </>
  );
}
