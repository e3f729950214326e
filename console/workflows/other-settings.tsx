import { type ReactNode, useState } from 'react';
import { keepDraft, readDraft } from '../kit/drafts.js';
import { Field } from '../kit/field.js';
import type { FormProps } from './task-field.js';
import { otherSettings, withOtherSettings } from './task-fields.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

export interface FormWithDraft extends FormProps {
  /** Where this browser keeps what is no JSON yet; undefined where nothing is written. */
  draftKey: string | undefined;
}

/** What the form has no control for, as JSON, so that nothing of a task is lost or out of reach. */
export function OtherSettings({ place, draftKey, onChange }: FormWithDraft): ReactNode {
  const texts = useWorkflowTexts();
  const { task, pointer } = place;
  const stored = JSON.stringify(otherSettings(task), null, 2);
  const [written, write] = useState(() => (draftKey === undefined ? undefined : readDraft<string>(draftKey)));
  const isWrong = written !== undefined && parsed(written) === undefined;
  const keep = (text: string | undefined) => draftKey !== undefined && keepDraft(draftKey, text);
  const change = (text: string) => {
    const settings = parsed(text);
    write(text);
    keep(settings === undefined ? text : undefined);
    if (settings !== undefined) onChange(withOtherSettings(task, settings));
  };
  // Who empties the field has what is stored again.
  const leave = () => {
    if (isWrong && written.trim() !== '') return;
    write(undefined);
    keep(undefined);
  };
  return (
    <Field
      label={texts.otherSettings}
      pointer={`${pointer}/abilities`}
      hint={isWrong ? <span className="error">{texts.noJson}</span> : undefined}
    >
      {(control) => (
        <textarea
          rows={6}
          dir="ltr"
          spellCheck={false}
          className={styles.code}
          {...control}
          aria-invalid={isWrong || control['aria-invalid']}
          value={written ?? stored}
          onChange={({ target }) => change(target.value)}
          onBlur={leave}
        />
      )}
    </Field>
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
