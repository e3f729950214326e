import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { FailedPage } from '../app/problem-pages.js';
import { isGone } from '../kit/api.js';
import { Page } from '../kit/page.js';
import { PlaceContext } from '../kit/place.js';
import { useTexts } from '../texts/texts.js';
import styles from './organizations.module.css';
import { accountQuery, type Organization, organizationQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

const OrganizationContext = createContext<Organization | undefined>(undefined);

export interface OwnOrganization extends Organization {
  /** Whether who is signed in sees its people, and may change settings. */
  isAdmin: boolean;
  isOwner: boolean;
}

/** The organization of the page. */
export function useOrganization(): OwnOrganization {
  const organization = useContext(OrganizationContext);
  if (organization === undefined) throw new Error('There is no organization around this component.');
  const isOwner = organization.role === 'owner';
  return { ...organization, isOwner, isAdmin: isOwner || organization.role === 'admin' };
}

/** In place of a page that is for others, which its address alone leads to. */
export function OthersPage({ title, whose }: { title: string; whose: string }): ReactNode {
  return (
    <Page title={title}>
      <p>{whose}</p>
    </Page>
  );
}

/** What is around the pages of an organization, which is outside of its workspaces. */
export function OrganizationShell(): ReactNode {
  const common = useTexts();
  const texts = useOrganizationTexts();
  const { organization: uuid } = useParams({ from: '/organizations/$organization' });
  const organization = useQuery(organizationQuery(uuid));
  const account = useQuery(accountQuery);
  const { data } = organization;
  if (isGone(organization.error)) {
    return (
      <main className="plain">
        <h1>{texts.gone}</h1>
        <p>
          <Link to="/organizations/$organization/join" params={{ organization: uuid }}>
            {texts.toJoin}
          </Link>
        </p>
      </main>
    );
  }
  if (data === undefined || account.data === undefined) {
    const error = organization.error ?? account.error;
    return error === null ? <p role="status">{common.loading}</p> : <FailedPage error={error} />;
  }
  return (
    <PlaceContext value={{ uuid: data.uuid, ownId: account.data.id ?? 0 }}>
      <OrganizationContext value={data}>
        <Shell />
      </OrganizationContext>
    </PlaceContext>
  );
}

function Shell(): ReactNode {
  const common = useTexts();
  const texts = useOrganizationTexts();
  const { uuid, name, isAdmin, isOwner } = useOrganization();
  const params = { organization: uuid };
  return (
    <div className={styles.shell}>
      <a className="skip" href="#main">
        {common.skip}
      </a>
      <header className={styles.header}>
        <p className={styles.name}>
          <strong>{name}</strong>
          <Link to="/organizations">{texts.all}</Link>
          <Link to="/">{common.otherWorkspace}</Link>
        </p>
        <nav aria-label={common.navigation}>
          <Link to="/organizations/$organization" params={params} activeOptions={{ exact: true }}>
            {texts.overview}
          </Link>
          {isAdmin ? (
            <Link to="/organizations/$organization/people" params={params}>
              {texts.people}
            </Link>
          ) : null}
          {isOwner ? (
            <Link to="/organizations/$organization/sign-in" params={params}>
              {texts.signIn}
            </Link>
          ) : null}
          {isAdmin ? (
            <Link to="/organizations/$organization/audit" params={params}>
              {texts.audit}
            </Link>
          ) : null}
        </nav>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <title>{name}</title>
        <Outlet />
      </main>
    </div>
  );
}
