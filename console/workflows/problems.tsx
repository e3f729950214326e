import type { ReactNode } from 'react';
import { type Place, placeAt } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

export interface Problem {
  pointer: string;
  message: string;
}

interface Props {
  places: readonly Place[];
  errors: readonly Problem[];
  warnings: readonly Problem[];
  onShow(uuid: string): void;
}

/** What publishing refuses and warns of, each with the way to its task. */
export function Problems({ places, errors, warnings, onShow }: Props): ReactNode {
  const texts = useWorkflowTexts();
  if (errors.length + warnings.length === 0) return <p>{texts.noProblems}</p>;
  return (
    <>
      <ProblemList title={texts.errors} problems={errors} places={places} onShow={onShow} isError />
      <ProblemList title={texts.warnings} problems={warnings} places={places} onShow={onShow} />
    </>
  );
}

interface ListProps extends Pick<Props, 'places' | 'onShow'> {
  title: string;
  problems: readonly Problem[];
  isError?: boolean;
}

function ProblemList({ title, problems, places, onShow, isError = false }: ListProps): ReactNode {
  const texts = useWorkflowTexts();
  if (problems.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={styles.problems} data-error={isError}>
        {problems.map(({ pointer, message }) => {
          const task = placeAt(places, pointer)?.task;
          return (
            <li key={`${pointer} ${message}`}>
              {task === undefined ? null : (
                <button
                  type="button"
                  className="link"
                  aria-label={texts.toTask.replace('{name}', task.name)}
                  onClick={() => onShow(task.uuid)}
                >
                  {task.name}
                </button>
              )}
              <span>{message}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
