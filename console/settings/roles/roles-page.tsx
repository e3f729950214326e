import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Read } from '../../kit/read.js';
import { registryQuery } from '../../kit/registry.js';
import { useWorkspace } from '../../kit/workspace.js';
import { dataTypesQuery, rolesQuery } from '../../members/queries.js';
import { filled } from '../../texts/texts.js';
import { SectionPage } from '../section-page.js';
import { flags, groupsOf, type Role, typeOf } from './grants.js';
import { Matrix } from './matrix.js';
import { NewRole } from './new-role.js';
import styles from './roles.module.css';
import { useRoleTexts } from './texts.js';
import { type RoleChanges, useRoleChanges } from './use-changes.js';

/** What each role may do, to be changed by who may. */
export function RolesPage(): ReactNode {
  const texts = useRoleTexts();
  const { uuid, can } = useWorkspace();
  const roles = useQuery(rolesQuery(uuid));
  return (
    <SectionPage
      fills
      title={texts.title}
      acts={can('roles:write') ? <NewRole roles={roles.data ?? []} /> : undefined}
    >
      <p className={styles.what}>{texts.what}</p>
      <Read query={roles}>{(all) => <Roles roles={all} />}</Read>
    </SectionPage>
  );
}

function Roles({ roles }: { roles: readonly Role[] }): ReactNode {
  const texts = useRoleTexts();
  const { uuid, can, role: own } = useWorkspace();
  const registry = useQuery(registryQuery);
  const { data: types, error } = useQuery(dataTypesQuery(uuid));
  const changes = useRoleChanges(roles);
  const [shown, setShown] = useState(own.id);
  const [added, setAdded] = useState<readonly string[]>([]);
  const named = [...roles.flatMap(({ permissions }) => permissions), ...changes.grants];
  const held = named.flatMap((one) => typeOf(one) ?? []);
  const slugs = [...new Set([...held, ...added])].toSorted();
  const others = types?.items.filter(({ slug }) => !slugs.includes(slug)) ?? [];
  return (
    <Read query={registry}>
      {(data) => (
        <>
          <ErrorNotice error={error} />
          <div className="filters">
            <select
              className={styles.one}
              aria-label={texts.role}
              value={shown}
              onChange={({ target }) => setShown(Number(target.value))}
            >
              {roles.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            {can('roles:write') && others.length > 0 ? (
              <select
                aria-label={texts.addType}
                value=""
                onChange={({ target }) => setAdded([...added, target.value])}
              >
                <option value="">{texts.addType}</option>
                {others.map(({ slug, name }) => (
                  <option key={slug} value={slug}>
                    {name}
                  </option>
                ))}
              </select>
            ) : null}
          </div>
          <Matrix
            roles={roles}
            groups={[
              {
                slug: 'flags',
                title: texts.flags,
                grants: flags.map((name) => ({ name, description: texts.flagMeanings[name] })),
              },
              ...groupsOf(data, slugs),
            ]}
            changes={changes}
            shown={shown}
            readOnly={!can('roles:write') || changes.save.isPending}
          />
          {can('roles:write') ? <SaveBar roles={roles} changes={changes} /> : null}
        </>
      )}
    </Read>
  );
}

/** What is to be changed, in words, with the refusals of the last attempt. */
function SaveBar({ roles, changes }: { roles: readonly Role[]; changes: RoleChanges }): ReactNode {
  const texts = useRoleTexts();
  const { save, grants, of, discard } = changes;
  const count = grants.length;
  return (
    <div className={styles.save}>
      {save.data?.map(({ role, error }) => (
        <div key={role}>
          <strong>{role}</strong>
          <ErrorNotice error={error} />
        </div>
      ))}
      <ErrorNotice error={save.error} />
      {count === 0 ? (
        <p role="status">
          {save.data?.length === 0 ? texts.saved : <span className="quiet">{texts.keys}</span>}
        </p>
      ) : (
        <>
          <ul>
            {roles
              .filter(({ id }) => of(id).size > 0)
              .map(({ id, name }) => (
                <li key={id}>
                  <strong>{name}</strong>{' '}
                  {[...of(id)].map(([grant, isHeld]) => `${isHeld ? '+' : '−'} ${grant}`).join(', ')}
                </li>
              ))}
          </ul>
          <div className="acts">
            <button type="button" className="primary" disabled={save.isPending} onClick={() => save.mutate()}>
              {filled(texts.saveChanges, { count })}
            </button>
            <button type="button" disabled={save.isPending} onClick={discard}>
              {texts.discard}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
