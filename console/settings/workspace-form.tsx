import { type ReactNode, useState } from 'react';
import type { Schemas } from '../kit/api.js';
import { Form } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.js';
import { useSaveWorkspace } from './use-save-workspace.js';

type Workspace = Schemas['WorkspaceResponse'];

interface Props {
  /** The fields, with the values as they are entered. */
  children(value: Workspace, change: (changed: Partial<Workspace>) => void): ReactNode;
}

/** Fields of the workspace: what was changed here is saved, and nothing else. */
export function WorkspaceForm({ children }: Props): ReactNode {
  const texts = useSettingsTexts();
  const { workspace, can } = useWorkspace();
  const [changes, setChanges] = useState<Partial<Workspace>>({});
  const isChanged = Object.keys(changes).length > 0;
  const save = useSaveWorkspace({ isChanged });
  const change = (changed: Partial<Workspace>) => {
    if (!save.isPending) save.reset();
    setChanges({ ...changes, ...changed });
  };
  const submit = () => save.mutate(changes, { onSuccess: () => setChanges((now) => without(now, changes)) });
  return (
    <div className={styles.form}>
      <Form error={save.error} onSubmit={submit}>
        <fieldset className={styles.fields} disabled={!can('workspace:write')}>
          {children({ ...workspace, ...changes }, change)}
        </fieldset>
        {can('workspace:write') ? (
          <div className="acts">
            <button type="submit" className="primary" disabled={save.isPending || !isChanged}>
              {save.isPending ? texts.saving : texts.save}
            </button>
            {isChanged ? (
              <button
                type="button"
                disabled={save.isPending}
                onClick={() => {
                  save.reset();
                  setChanges({});
                }}
              >
                {texts.undo}
              </button>
            ) : null}
            <span role="status">{save.isSuccess && !isChanged ? texts.saved : null}</span>
          </div>
        ) : (
          <p className="quiet">{texts.readOnly}</p>
        )}
      </Form>
    </div>
  );
}

/** What has been changed again while it was saved stays to be saved. */
function without(now: Partial<Workspace>, saved: Partial<Workspace>): Partial<Workspace> {
  const sent = new Map<string, unknown>(Object.entries(saved));
  return Object.fromEntries(Object.entries(now).filter(([field, value]) => sent.get(field) !== value));
}
