import type { ReactNode } from 'react';
import { CheckField, InputField, TextAreaField } from '../kit/field.js';
import { Duration } from './duration.js';
import { ExpressionHelp } from './expression-help.js';
import { type Place, type Task, valueAt, withValue } from './task-document.js';
import type { FieldOfTask } from './task-fields.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

export interface FormProps {
  root: Task;
  place: Place;
  onChange(task: Task): void;
}

/** A field by its path, with the control of its kind. */
export function TaskField({ root, place, onChange, path, kind }: FormProps & FieldOfTask): ReactNode {
  const texts = useWorkflowTexts();
  const { task } = place;
  const at = { label: texts.fields[path] ?? path, pointer: `${place.pointer}/${path}` };
  const value = valueAt(task, path);
  const text = value === undefined || value === null ? '' : String(value);
  const change = (next: unknown) => onChange(withValue(task, path, next));
  if (kind === 'check') {
    return <CheckField {...at} checked={value === true} onChange={({ target }) => change(target.checked)} />;
  }
  if (kind === 'duration') return <Duration key={task.uuid} {...at} value={text} onChange={change} />;
  if (kind === 'count') {
    return (
      <InputField
        {...at}
        type="number"
        min={1}
        value={text}
        onChange={({ target }) => change(target.value === '' ? undefined : Number(target.value))}
      />
    );
  }
  if (kind === 'line') {
    const hint = path === 'choicePrompt' ? texts.hints.choicePrompt : undefined;
    return <InputField {...at} hint={hint} value={text} onChange={({ target }) => change(target.value)} />;
  }
  const area = (
    <TextAreaField
      {...at}
      hint={kind === 'text' ? undefined : texts.hints[kind]}
      rows={kind === 'template' ? 5 : 2}
      spellCheck={kind !== 'condition'}
      className={kind === 'condition' ? styles.code : undefined}
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  );
  if (kind === 'text') return area;
  const add = (expression: string) => {
    if (kind === 'template') return change(`${text}{{ ${expression} }}`);
    return change(text === '' ? expression : `${text} && ${expression}`);
  };
  return (
    <div>
      {area}
      <ExpressionHelp root={root} kind={kind} onAdd={add} />
    </div>
  );
}
