import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { keepDraft, readDraft } from '../../kit/drafts.js';
import { Form, InputField, TextAreaField } from '../../kit/field.js';
import { useAct } from '../../kit/use-act.js';
import { useRequestKey } from '../../kit/use-request-key.js';
import { useWorkspace } from '../../kit/workspace.js';
import styles from './assistants.module.css';
import { ModelFields } from './model-fields.js';
import { type Assistant, assistantQuery, pathOf } from './queries.js';
import type { Values } from './settings.js';
import { useAssistantTexts } from './texts.js';

interface Draft {
  values: Values;
  /** The state of the assistant that was changed. */
  of: string | undefined;
}

/** What is written of an assistant, or of a new one, and not saved: it stays in this browser. */
function useAssistantDraft(assistant: Assistant | undefined) {
  const { uuid, me } = useWorkspace();
  const key = `${uuid}:${me.id}:assistant:${assistant?.id ?? 'new'}`;
  const [draft, setDraft] = useState<Draft | undefined>(() => readDraft<Draft>(key));
  const keep = (next: Draft | undefined) => {
    keepDraft(key, next);
    setDraft(next);
  };
  return {
    changes: draft?.values ?? {},
    isStale: draft !== undefined && draft.of !== assistant?.updatedAt,
    change: (changed: Values) =>
      keep({ values: { ...draft?.values, ...changed }, of: draft?.of ?? assistant?.updatedAt }),
    discard: () => keep(undefined),
  };
}

/** The fields of an assistant. Who may not change it sees them read-only. */
export function AssistantForm({ assistant }: { assistant: Assistant | undefined }): ReactNode {
  const texts = useAssistantTexts();
  const { can } = useWorkspace();
  const draft = useAssistantDraft(assistant);
  const save = useSave(assistant?.id, draft.changes, draft.discard);
  const mayWrite = can('assistants:write');
  const readOnly = !mayWrite || save.isPending;
  const values: Values = { ...(assistant as Values | undefined), ...draft.changes };
  const change = (changed: Values) => {
    save.reset();
    draft.change(changed);
  };
  const isChanged = Object.keys(draft.changes).length > 0;
  return (
    <div className={styles.form}>
      {draft.isStale ? <p role="status">{texts.stale}</p> : null}
      <Form error={save.error} onSubmit={() => save.mutate()}>
        <InputField
          label={texts.name}
          pointer="/name"
          required
          maxLength={200}
          readOnly={readOnly}
          value={values.name ?? ''}
          onChange={({ target }) => change({ name: target.value })}
        />
        <TextAreaField
          label={texts.instructions}
          pointer="/instructions"
          hint={texts.instructionsHint}
          rows={12}
          required
          maxLength={50_000}
          readOnly={readOnly}
          value={values.instructions ?? ''}
          onChange={({ target }) => change({ instructions: target.value })}
        />
        {(['isDefault', 'enabled'] as const).map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              disabled={readOnly}
              checked={values[field] ?? field === 'enabled'}
              onChange={({ target }) => change({ [field]: target.checked })}
            />{' '}
            {texts[field]}
          </label>
        ))}
        <ModelFields value={values} readOnly={readOnly} onChange={change} />
        {mayWrite ? (
          <div className="acts">
            <button type="submit" className="primary" disabled={save.isPending || !isChanged}>
              {texts.save}
            </button>
            {isChanged ? (
              <button type="button" disabled={save.isPending} onClick={draft.discard}>
                {texts.discard}
              </button>
            ) : null}
            {save.isSuccess ? <span role="status">{texts.saved}</span> : null}
          </div>
        ) : null}
      </Form>
    </div>
  );
}

/** Creates the assistant, or sends what was changed of it; a new one is then shown at its own address. */
function useSave(id: number | undefined, changes: Values, onSaved: () => void) {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { header, onError } = useRequestKey();
  return useAct(async () => {
    if (id !== undefined) {
      const params = { path: pathOf(uuid, id) };
      const saved = await answer(
        api.PUT('/w/{workspace_uuid}/assistants/{assistant_id}', { params, body: changes }),
      );
      queries.setQueryData(assistantQuery(uuid, id).queryKey, saved);
      return onSaved();
    }
    const body = { name: '', instructions: '', ...changes };
    const params = { path: { workspace_uuid: uuid }, header };
    const made = await answer(api.POST('/w/{workspace_uuid}/assistants', { params, body })).catch(
      (error: Error) => {
        onError(error);
        throw error;
      },
    );
    onSaved();
    await navigate({
      to: '/w/$workspace/settings/assistants/$assistantId',
      params: { workspace: uuid, assistantId: String(made.id) },
      replace: true,
    });
  }, ['assistants']);
}
