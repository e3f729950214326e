import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, InputField } from '../kit/field.js';
import { Page, Section } from '../kit/page.js';
import { useAct } from '../kit/use-act.js';
import { LinesField } from '../settings/lines-field.js';
import { filled } from '../texts/texts.js';
import { useOrganization } from './organization-shell.js';
import styles from './organizations.module.css';
import { ownWorkspacesQuery } from './queries.js';
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
  const { uuid, workspaces = [] } = useOrganization();
  const { data } = useQuery(ownWorkspacesQuery);
  const put = useAct(
    (workspace: string) =>
      answer(
        api.PUT('/w/{workspace_uuid}/organization', {
          params: { path: { workspace_uuid: workspace } },
          body: { organizationUuid: uuid },
        }),
      ),
    ['organization'],
  );
  const others = data?.items.filter((one) => !workspaces.some((theirs) => theirs.uuid === one.uuid)) ?? [];
  if (others.length === 0) return null;
  return (
    <div>
      <select
        aria-label={texts.putIn}
        value=""
        disabled={put.isPending}
        onChange={({ target }) => put.mutate(target.value)}
      >
        <option value="">{texts.putIn}</option>
        {others.map((one) => (
          <option key={one.uuid} value={one.uuid}>
            {one.name}
          </option>
        ))}
      </select>
      <ErrorNotice error={put.error} />
    </div>
  );
}

type Values = Schemas['UpdateOrganizationRequest'];

/** What is changed is sent alone, so that two owners do not undo each other. */
function Settings(): ReactNode {
  const texts = useOrganizationTexts();
  const organization = useOrganization();
  const [changes, setChanges] = useState<Values>({});
  const save = useAct(
    (body: Values) =>
      answer(
        api.PUT('/organizations/{organization_uuid}', {
          params: { path: { organization_uuid: organization.uuid } },
          body,
        }),
      ),
    ['organization'],
  );
  const change = (changed: Values) => {
    save.reset();
    setChanges({ ...changes, ...changed });
  };
  const values = { ...organization, ...changes };
  return (
    <Section title={texts.settings}>
      <div className={styles.form}>
        <Form error={save.error} onSubmit={() => save.mutate(changes, { onSuccess: () => setChanges({}) })}>
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
          <label>
            <input
              type="checkbox"
              checked={values.anyoneMayJoin}
              onChange={({ target }) => change({ anyoneMayJoin: target.checked })}
            />{' '}
            {texts.anyoneMayJoin}
          </label>
          <div className="acts">
            <button
              type="submit"
              className="primary"
              disabled={save.isPending || Object.keys(changes).length === 0}
            >
              {texts.save}
            </button>
            {save.isSuccess ? <span role="status">{texts.saved}</span> : null}
          </div>
        </Form>
      </div>
    </Section>
  );
}
