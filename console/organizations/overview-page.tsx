import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ChangesForm } from '../kit/changes-form.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { CheckField, InputField, SelectField } from '../kit/field.js';
import { LinesField } from '../kit/lines-field.js';
import { Page, Section } from '../kit/page.js';
import { filled } from '../texts/texts.js';
import { useOrganization } from './organization-shell.js';
import styles from './organizations.module.css';
import { type Organization, organizationQuery, ownWorkspacesQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** The organization itself, and its workspaces. */
export function OverviewPage(): ReactNode {
  const texts = useOrganizationTexts();
  const { role, isOwner, isAdmin } = useOrganization();
  return (
    <Page title={texts.overview}>
      <p>{texts.youAre[role ?? 'none']}</p>
      {isAdmin ? <Workspaces /> : null}
      {isOwner ? <Settings /> : null}
    </Page>
  );
}

function Workspaces(): ReactNode {
  const texts = useOrganizationTexts();
  const { name: organization, workspaces = [], isOwner } = useOrganization();
  const takeOut = (uuid: string) =>
    answer(api.DELETE('/w/{workspace_uuid}/organization', { params: { path: { workspace_uuid: uuid } } }));
  return (
    <Section title={texts.workspaces}>
      {workspaces.length === 0 ? <p className="quiet">{texts.noWorkspaces}</p> : null}
      <ul className={styles.rows}>
        {workspaces.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link to="/w/$workspace" params={{ workspace: uuid }}>
              {name}
            </Link>
            {isOwner ? (
              <AsksFirst
                title={texts.takeOut}
                help={filled(texts.takeOutHelp, { name, organization })}
                tone="danger"
                act={() => takeOut(uuid)}
                changes={[['organization']]}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {isOwner ? <PutIn /> : null}
    </Section>
  );
}

/** For an admin of the workspace, which the API looks at. */
function PutIn(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, name, workspaces = [] } = useOrganization();
  const { data, error } = useQuery(ownWorkspacesQuery);
  const [chosen, setChosen] = useState('');
  const others = data?.items.filter((one) => !workspaces.some((theirs) => theirs.uuid === one.uuid)) ?? [];
  if (error !== null) return <ErrorNotice error={error} />;
  if (others.length === 0) return null;
  return (
    <div>
      <AsksFirst
        title={texts.putIn}
        help={filled(texts.putInHelp, { organization: name })}
        disabled={chosen === ''}
        act={() =>
          answer(
            api.PUT('/w/{workspace_uuid}/organization', {
              params: { path: { workspace_uuid: chosen } },
              body: { organizationUuid: uuid },
            }),
          )
        }
        changes={[['organization']]}
        onDone={() => setChosen('')}
      >
        <SelectField
          label={texts.workspace}
          pointer=""
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        >
          <option value="">{texts.choose}</option>
          {others.map((one) => (
            <option key={one.uuid} value={one.uuid}>
              {one.name}
            </option>
          ))}
        </SelectField>
      </AsksFirst>
    </div>
  );
}

type Values = Pick<Organization, 'name' | 'slug' | 'joinDomains' | 'anyoneMayJoin'>;

function Settings(): ReactNode {
  const texts = useOrganizationTexts();
  const queries = useQueryClient();
  const organization = useOrganization();
  const params = { path: { organization_uuid: organization.uuid } };
  return (
    <Section title={texts.settings}>
      <div className={styles.form}>
        <ChangesForm<Values>
          place="organization"
          stored={organization}
          mayChange
          read={() => queries.fetchQuery({ ...organizationQuery(organization.uuid), staleTime: 0 })}
          save={(body) => answer(api.PUT('/organizations/{organization_uuid}', { params, body }))}
          reads={[['organization']]}
        >
          {(values, change) => (
            <>
              <InputField
                label={texts.name}
                pointer="/name"
                required
                maxLength={200}
                value={values.name}
                onChange={({ target }) => change({ name: target.value })}
              />
              <InputField
                label={texts.slug}
                pointer="/slug"
                hint={texts.slugHint}
                required
                autoCapitalize="none"
                spellCheck={false}
                maxLength={63}
                value={values.slug}
                onChange={({ target }) => change({ slug: target.value })}
              />
              <LinesField
                label={texts.joinDomains}
                pointer="/joinDomains"
                hint={texts.joinDomainsHint}
                value={values.joinDomains}
                onChange={(joinDomains) => change({ joinDomains })}
              />
              <CheckField
                label={texts.anyoneMayJoin}
                pointer="/anyoneMayJoin"
                checked={values.anyoneMayJoin}
                onChange={({ target }) => change({ anyoneMayJoin: target.checked })}
              />
            </>
          )}
        </ChangesForm>
      </div>
    </Section>
  );
}
