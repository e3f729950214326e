import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import styles from './task-tree.module.css';

/** A task of a workflow, as far as a tree shows it. */
export interface TreeTask {
  uuid: string;
  name: string;
  /** Whether nobody has been there. */
  isQuiet?: boolean;
  children: readonly TreeTask[];
}

interface Props<T extends TreeTask> {
  /** What the tree has, for who does not see it. */
  label: string;
  root: T;
  /** By default the task that the keys have reached. */
  selected?: string | undefined;
  onSelect?(uuid: string): void;
  /** The task that somebody is in. */
  current?: string | undefined;
  /** What stands behind the name of a task, such as its state. */
  note?(task: T): ReactNode;
}

interface Row<T> {
  task: T;
  level: number;
  parent: string | undefined;
}

/** The tasks of a workflow. Arrow keys move through it, left and right close and open what is below a task. */
export function TaskTree<T extends TreeTask>(props: Props<T>): ReactNode {
  const { label, root, onSelect, current, note } = props;
  const tree = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(current);
  const selected = onSelect === undefined ? focused : props.selected;
  const select = onSelect ?? setFocused;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = rowsOf(root, closed);
  const reached = rows.some(({ task }) => task.uuid === selected) ? selected : root.uuid;
  const toggle = (uuid: string, isClosed: boolean) => {
    const others = [...closed].filter((one) => one !== uuid);
    setClosed(new Set(isClosed ? [...others, uuid] : others));
  };
  const go = (uuid: string | undefined) => {
    if (uuid === undefined) return;
    select(uuid);
    tree.current?.querySelector<HTMLElement>(`[data-task="${uuid}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a link inside are its own.
    if ((event.target as HTMLElement).role !== 'treeitem') return;
    const at = rows.findIndex(({ task }) => task.uuid === reached);
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const { uuid, children } = row.task;
    const isClosed = closed.has(uuid);
    const acts: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]?.task.uuid),
      ArrowUp: () => go(rows[at - 1]?.task.uuid),
      ArrowLeft: () => (isClosed || children.length === 0 ? go(row.parent) : toggle(uuid, true)),
      ArrowRight: () => (isClosed ? toggle(uuid, false) : go(children[0]?.uuid)),
      Home: () => go(rows[0]?.task.uuid),
      End: () => go(rows.at(-1)?.task.uuid),
      Enter: () => go(uuid),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div ref={tree} role="tree" aria-label={label} className={styles.tree} onKeyDown={onKeyDown}>
      {rows.map(({ task, level }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the whole tree are those of its items.
        <div
          key={task.uuid}
          role="treeitem"
          className={styles.item}
          data-task={task.uuid}
          aria-level={level}
          data-quiet={task.isQuiet}
          aria-selected={onSelect === undefined ? undefined : task.uuid === selected}
          aria-current={task.uuid === current ? 'step' : undefined}
          aria-expanded={task.children.length === 0 ? undefined : !closed.has(task.uuid)}
          tabIndex={task.uuid === reached ? 0 : -1}
          style={{ paddingInlineStart: `${(level - 1) * 0.9 + 0.4}rem` }}
          onClick={() => select(task.uuid)}
        >
          <span
            aria-hidden="true"
            className={styles.fold}
            onClick={(event) => {
              if (task.children.length === 0) return;
              event.stopPropagation();
              toggle(task.uuid, !closed.has(task.uuid));
            }}
          >
            {task.children.length === 0 ? '·' : closed.has(task.uuid) ? '▸' : '▾'}
          </span>
          <span className={styles.name}>{task.name}</span>
          {note?.(task)}
        </div>
      ))}
    </div>
  );
}

/** The tasks in their order, without those below a closed one. */
function rowsOf<T extends TreeTask>(root: T, closed: ReadonlySet<string>): Row<T>[] {
  const below = (task: T, level: number, parent: string | undefined): Row<T>[] => [
    { task, level, parent },
    ...(closed.has(task.uuid)
      ? []
      : (task.children as readonly T[]).flatMap((child) => below(child, level + 1, task.uuid))),
  ];
  return below(root, 1, undefined);
}
