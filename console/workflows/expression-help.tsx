import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { dataTypesQuery } from './queries.js';
import { placesOf, type Task } from './task-document.js';
import { useWorkflowTexts } from './texts.js';
import styles from './workflows.module.css';

interface Props {
  root: Task;
  /** Whether it is a value that is filled into a text, or something that holds or does not. */
  kind: 'template' | 'condition';
  onAdd(expression: string): void;
}

/** Expressions of this workspace and this workflow that can stand in a field; one is added by choosing it. */
export function ExpressionHelp(props: Props): ReactNode {
  const texts = useWorkflowTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.help} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{texts.help}</summary>
      {isOpen ? <Expressions {...props} /> : null}
    </details>
  );
}

function Expressions({ root, kind, onAdd }: Props): ReactNode {
  const texts = useWorkflowTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery(dataTypesQuery(uuid));
  const { examples } = texts;
  const values = (data?.items ?? [])
    .filter(({ isCollection }) => !isCollection)
    .flatMap(({ slug, fields }) => fields.map((field) => `member.form_data.${slug}.${field.slug}`));
  const tasks = placesOf(root).map(({ task }) => task);
  const late = tasks.filter(({ configuration }) => configuration.atMost !== undefined);
  const found: (readonly [expression: string, meaning: string])[] =
    kind === 'template'
      ? [['member.name', examples.name], ...values.map((value) => [value, examples.value] as const)]
      : [
          ['"vip" in member.labels', examples.label],
          ...values.map((value) => [`has(${value})`, examples.has] as const),
          ...tasks.map(({ name }) => [`${JSON.stringify(name)} in tasks.completed`, examples.done] as const),
          ...late.map(({ name }) => [`${JSON.stringify(name)} in tasks.timed_out`, examples.late] as const),
          ['chat.channel == "phone-sms"', examples.channel],
          ['now - assignment.created_at > duration("72h")', examples.age],
        ];
  return (
    <>
      <p className="quiet">{texts.helpHint}</p>
      <ul>
        {found.map(([expression, meaning]) => (
          <li key={expression}>
            <button type="button" className="link" onClick={() => onAdd(expression)}>
              <code>{expression}</code>
            </button>{' '}
            <span className="quiet">{meaning}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
