import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { type Grant, type GrantGroup, holds, type Role } from './grants.js';
import styles from './roles.module.css';
import { useRoleTexts } from './texts.js';
import type { RoleChanges } from './use-changes.js';

interface Props {
  roles: readonly Role[];
  groups: readonly GrantGroup[];
  changes: RoleChanges;
  /** The role that a narrow window shows alone. */
  shown: number | undefined;
  readOnly: boolean;
}

/** What each role may do. Arrow keys move among the boxes; Tab leaves them. */
export function Matrix({ roles, groups, changes, shown, readOnly }: Props): ReactNode {
  const texts = useRoleTexts();
  const { uuid } = useWorkspace();
  const [at, setAt] = useState({ row: 0, column: 0 });
  const rows = groups.flatMap(({ grants }) => grants);
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = stepOf(event);
    if (step === undefined) return;
    event.preventDefault();
    const row = Math.min(Math.max(at.row + step.row, 0), rows.length - 1);
    const column = Math.min(Math.max(at.column + step.column, 0), roles.length - 1);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  const cellsOf = (grant: Grant) => {
    const row = rows.indexOf(grant);
    return roles.map((role, column) => {
      const isHeld = changes.of(role.id).get(grant.name) ?? holds(role, grant.name);
      return (
        <td key={role.id} data-shown={role.id === shown} data-changed={isHeld !== holds(role, grant.name)}>
          <input
            type="checkbox"
            data-cell={`${row} ${column}`}
            tabIndex={row === at.row && column === at.column ? 0 : -1}
            aria-label={filled(texts.mayDo, { role: role.name, grant: grant.name })}
            aria-disabled={readOnly}
            checked={isHeld}
            onFocus={() => setAt({ row, column })}
            onChange={({ target }) => {
              if (!readOnly) changes.set(role, grant.name, target.checked);
            }}
          />
        </td>
      );
    });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className={styles.scroll} tabIndex={0} aria-label={texts.title}>
      <table className={styles.matrix} aria-label={texts.title} onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{texts.permission}</th>
            {roles.map((role) => (
              <th key={role.id} scope="col" data-shown={role.id === shown}>
                <Link
                  to="/w/$workspace/settings/roles/$roleId"
                  params={{ workspace: uuid, roleId: String(role.id) }}
                >
                  {role.name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ slug, title, grants }) => (
          <tbody key={slug}>
            <tr className={styles.group}>
              <th scope="rowgroup" colSpan={roles.length + 1}>
                <span>{title}</span>
              </th>
            </tr>
            {grants.map((grant) => (
              <tr key={grant.name}>
                <th scope="row">
                  <code>{grant.name}</code>
                  <span className="quiet">{grant.description}</span>
                </th>
                {cellsOf(grant)}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function stepOf({
  key,
  currentTarget,
}: KeyboardEvent<HTMLElement>): { row: number; column: number } | undefined {
  const onward = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
  if (key === 'ArrowUp') return { row: -1, column: 0 };
  if (key === 'ArrowDown') return { row: 1, column: 0 };
  if (key === 'ArrowLeft') return { row: 0, column: -onward };
  if (key === 'ArrowRight') return { row: 0, column: onward };
  return undefined;
}
