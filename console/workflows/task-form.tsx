import type { ReactNode } from 'react';
import { SelectField } from '../kit/field.js';
import { CollectFields, DecisionFields, WaitFields } from './fields-by-type.js';
import { type FormWithDraft, OtherSettings } from './other-settings.js';
import { type TaskType, taskTypes } from './task-document.js';
import { TaskField } from './task-field.js';
import { type FieldOfTask, hasMainPrompt, mainFields } from './task-fields.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

/** The properties of a task. What is wrong with one stands below it. */
export function TaskForm({ draftKey, ...props }: FormWithDraft): ReactNode {
  const texts = useWorkflowTexts();
  const { place, onChange } = props;
  const { task, parent } = place;
  const { taskType } = task;
  const one = (path: string, kind: FieldOfTask['kind']) => (
    <TaskField key={path} {...props} path={path} kind={kind} />
  );
  return (
    <div className={styles.fields}>
      {one('name', 'line')}
      <SelectField
        label={texts.taskType}
        pointer={`${place.pointer}/taskType`}
        hint={texts.typeHints[taskType]}
        value={taskType}
        onChange={({ target }) =>
          onChange({ ...task, taskType: target.value as TaskType, configuration: {} })
        }
      >
        {taskTypes.map((type) => (
          <option key={type} value={type}>
            {texts.types[type]}
          </option>
        ))}
      </SelectField>
      {taskType === 'wait' ? <WaitFields key={task.uuid} {...props} /> : null}
      {taskType === 'collect' ? <CollectFields {...props} /> : null}
      {taskType === 'decision' ? <DecisionFields {...props} /> : null}
      {mainFields[taskType].map(({ path, kind }) => one(path, kind))}
      {parent === undefined ? null : (
        <fieldset className={styles.group}>
          <legend>{texts.wayHere}</legend>
          {one('choicePrompt', 'line')}
          {one('celCondition', 'condition')}
        </fieldset>
      )}
      <fieldset className={styles.group}>
        <legend>{texts.wayOn}</legend>
        {taskType === 'decision' || taskType === 'conclude' ? null : one('autoNext', 'check')}
        {one('required', 'check')}
      </fieldset>
      <details>
        <summary>{texts.advanced}</summary>
        <div className={styles.fields}>
          {hasMainPrompt(taskType) ? null : one('prompt', 'template')}
          {one('celGuard', 'condition')}
          {one('description', 'text')}
          <OtherSettings key={task.uuid} draftKey={draftKey} {...props} />
        </div>
      </details>
    </div>
  );
}
