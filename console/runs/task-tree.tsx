import { type KeyboardEvent, type ReactNode, useState } from 'react';
import styles from './runs.module.css';

export interface TreeNode {
  id: number;
  name: string;
  /** Whether the assignment is here. */
  isCurrent?: boolean;
  /** Whether nobody has been here. */
  isQuiet?: boolean;
  /** What is said of the task beside its name. */
  marks?: ReactNode;
  children: readonly TreeNode[];
}

interface Props {
  label: string;
  root: TreeNode;
}

/** A tree of tasks: up and down move through what is shown, right opens and goes in, left closes and goes out. */
export function TaskTree({ label, root }: Props): ReactNode {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState<number>();
  const toggle = (id: number) =>
    setClosed(
      (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
    );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const item = event.target as HTMLElement;
    if (item.role !== 'treeitem') return;
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const at = items.indexOf(item);
    const isOpen = item.ariaExpanded === 'true';
    const moves: Record<string, () => HTMLElement | null | undefined> = {
      ArrowDown: () => items[at + 1],
      ArrowUp: () => items[at - 1],
      Home: () => items[0],
      End: () => items.at(-1),
      ArrowRight: () => (item.ariaExpanded === 'false' ? open(item) : isOpen ? items[at + 1] : null),
      ArrowLeft: () =>
        isOpen ? open(item) : items.slice(0, at).findLast((one) => levelOf(one) < levelOf(item)),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move()?.focus();
  };
  const open = (item: HTMLElement): null => {
    toggle(Number(item.dataset.task));
    return null;
  };
  const place = { closed, toggle, active: active ?? (currentIn(root)?.id || root.id), setActive };
  return (
    <div role="tree" aria-label={label} className={styles.tree} onKeyDown={onKeyDown}>
      <Item node={root} level={1} place={place} />
    </div>
  );
}

interface Place {
  closed: ReadonlySet<number>;
  toggle(id: number): void;
  /** The task that Tab leads to. */
  active: number;
  setActive(id: number): void;
}

function Item({ node, level, place }: { node: TreeNode; level: number; place: Place }): ReactNode {
  const { id, name, isCurrent = false, isQuiet = false, marks, children } = node;
  const isClosed = place.closed.has(id);
  const hasChildren = children.length > 0;
  return (
    <>
      <div
        role="treeitem"
        aria-level={level}
        aria-expanded={hasChildren ? !isClosed : undefined}
        aria-current={isCurrent ? 'step' : undefined}
        data-task={id}
        data-quiet={isQuiet}
        className={styles.task}
        tabIndex={place.active === id ? 0 : -1}
        onFocus={(event) => {
          if (event.target === event.currentTarget) place.setActive(id);
        }}
      >
        <span
          aria-hidden="true"
          className={styles.toggle}
          onClick={hasChildren ? () => place.toggle(id) : undefined}
        >
          {!hasChildren ? '·' : isClosed ? '▸' : '▾'}
        </span>
        <span className={styles.marks}>
          <span className={styles.name}>{name}</span> {marks}
        </span>
      </div>
      {hasChildren && !isClosed ? (
        <div className={styles.below}>
          {children.map((child) => (
            <Item key={child.id} node={child} level={level + 1} place={place} />
          ))}
        </div>
      ) : null}
    </>
  );
}

const levelOf = ({ ariaLevel }: HTMLElement): number => Number(ariaLevel);

function currentIn(node: TreeNode): TreeNode | undefined {
  if (node.isCurrent === true) return node;
  for (const child of node.children) {
    const found = currentIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
