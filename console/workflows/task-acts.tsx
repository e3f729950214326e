import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DialogButton } from '../kit/dialog.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { dataTypesQuery } from './queries.js';
import { firstFields, newTask, questionStart } from './starts.js';
import {
  addTask,
  moves,
  moveTask,
  type Place,
  placesOf,
  removeTask,
  type Task,
  type TaskType,
  taskTypes,
} from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

interface Props {
  root: Task;
  place: Place;
  onChange(root: Task): void;
  onShow(uuid: string): void;
}

const arrows = { up: '↑', down: '↓', out: '←', in: '→' } as const;

/** Adds a task beside the chosen one, moves it or removes it. */
export function TaskActs({ root, place, onChange, onShow }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const { task, parent } = place;
  const below = placesOf(task).length - 1;
  return (
    <div className="acts">
      <DialogButton title={texts.add}>
        {(close) => (
          <AddTask
            key={task.uuid}
            place={place}
            onAdd={(where, added) => {
              onChange(addTask(root, task.uuid, where, added));
              onShow(added.uuid);
              close();
            }}
          />
        )}
      </DialogButton>
      {moves.map((move) => {
        const moved = moveTask(root, task.uuid, move);
        return (
          <button
            key={move}
            type="button"
            aria-label={texts.moves[move]}
            title={texts.moves[move]}
            disabled={moved === undefined}
            onClick={() => moved !== undefined && onChange(moved)}
          >
            {arrows[move]}
          </button>
        );
      })}
      {parent === undefined ? null : (
        <DialogButton title={texts.removeTask}>
          {(close) => (
            <>
              <p>{below === 0 ? texts.removeOne : filled(texts.removeConsequence, { count: below })}</p>
              <button
                type="button"
                className="danger"
                onClick={() => {
                  close();
                  onShow(parent.uuid);
                  onChange(removeTask(root, task.uuid));
                }}
              >
                {texts.removeTask}
              </button>
            </>
          )}
        </DialogButton>
      )}
    </div>
  );
}

interface AddProps {
  place: Place;
  onAdd(where: 'behind' | 'below', task: Task): void;
}

function AddTask({ place, onAdd }: AddProps): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(dataTypesQuery(uuid));
  const [type, setType] = useState<TaskType>('message');
  const [where, setWhere] = useState<'behind' | 'below'>(place.parent === undefined ? 'below' : 'behind');
  const { name } = place.task;
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(where, newTask(texts.types[type], type, firstFields(type, data?.items[0], texts)));
      }}
    >
      <fieldset className={styles.types}>
        <legend>{texts.taskType}</legend>
        {taskTypes.map((one) => (
          <label key={one}>
            <input type="radio" name="type" checked={type === one} onChange={() => setType(one)} />
            <span>
              {texts.types[one]} <span className="quiet">{texts.typeHints[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.types}>
        <legend>{texts.where}</legend>
        {place.parent === undefined ? null : (
          <label>
            <input
              type="radio"
              name="where"
              checked={where === 'behind'}
              onChange={() => setWhere('behind')}
            />
            {filled(texts.addBehind, { name })}
          </label>
        )}
        <label>
          <input type="radio" name="where" checked={where === 'below'} onChange={() => setWhere('below')} />
          {filled(texts.addBelow, { name })}
        </label>
      </fieldset>
      <button type="submit" className="primary">
        {texts.add}
      </button>
    </form>
  );
}

/** What an empty draft begins with. */
export function FirstTask({ onAdd }: { onAdd(root: Task): void }): ReactNode {
  const texts = useWorkflowTexts();
  return (
    <div className="acts">
      <p>{texts.noTasks}</p>
      <button type="button" className="primary" onClick={() => onAdd(questionStart(texts))}>
        {texts.starts.question}
      </button>
    </div>
  );
}
