import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page, Status } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useTexts } from '../texts/texts.js';
import { NamedAct } from './named-act.js';
import { pathOf, type Site, type SitePath, siteQuery, sitesChanged } from './queries.js';
import { useSiteTexts } from './texts.js';

export interface OpenSite {
  at: SitePath;
  site: Site;
  etag: string;
  mayChange: boolean;
}

/** The site that the address names. */
export function useSitePath(): SitePath {
  const { uuid } = useWorkspace();
  const { siteId } = useParams({ strict: false });
  return { uuid, siteId: Number(siteId) };
}

/** A page of the site that the address names, or why it cannot be shown. */
export function WithSite({
  fills = false,
  children,
}: {
  /** Whether the content takes the height that is left. */
  fills?: boolean;
  children(open: OpenSite): ReactNode;
}): ReactNode {
  const texts = useSiteTexts();
  const { loading } = useTexts();
  const { can } = useWorkspace();
  const at = useSitePath();
  const { data, error } = useQuery(siteQuery(at));
  if (data === undefined || isGone(error)) {
    return (
      <Page title={texts.title} above={<ToSites />}>
        {error === null ? <p role="status">{loading}</p> : null}
        {isGone(error) ? <p>{texts.gone}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  return (
    <SitePage at={at} site={data.body} fills={fills}>
      <ErrorNotice error={error} />
      {children({ at, site: data.body, etag: data.etag, mayChange: can('sites:write') })}
    </SitePage>
  );
}

interface SitePageProps {
  at: SitePath;
  site: Site;
  fills: boolean;
  children: ReactNode;
}

function SitePage({ at, site, fills, children }: SitePageProps): ReactNode {
  const texts = useSiteTexts();
  const { can } = useWorkspace();
  return (
    <Page
      title={site.name}
      fills={fills}
      above={<ToSites />}
      acts={
        <>
          <SiteState site={site} />
          <a className="button" href={site.url} target="_blank" rel="noreferrer">
            {texts.open}
          </a>
          {can('sites:write') ? <SiteActs key={site.id} at={at} site={site} /> : null}
        </>
      }
    >
      <Parts at={at} />
      {children}
    </Page>
  );
}

export function SiteState({ site: { isPublic } }: { site: Site }): ReactNode {
  const texts = useSiteTexts();
  return isPublic ? <Status tone="done">{texts.isPublic}</Status> : <Status>{texts.isInternal}</Status>;
}

function ToSites(): ReactNode {
  const texts = useSiteTexts();
  const { uuid } = useWorkspace();
  return (
    <Link to="/w/$workspace/sites" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
}

/** The ways between the pages of a site. */
function Parts({ at: { uuid, siteId } }: { at: SitePath }): ReactNode {
  const { parts } = useSiteTexts();
  const params = { workspace: uuid, siteId: String(siteId) };
  return (
    <nav aria-label={parts.label} className="parts">
      <Link to="/w/$workspace/sites/$siteId" params={params} activeOptions={{ exact: true }}>
        {parts.look}
      </Link>
      <Link to="/w/$workspace/sites/$siteId/pages" params={params}>
        {parts.pages}
      </Link>
      <Link to="/w/$workspace/sites/$siteId/menu" params={params}>
        {parts.menu}
      </Link>
      <Link to="/w/$workspace/sites/$siteId/settings" params={params}>
        {parts.settings}
      </Link>
      <Link to="/w/$workspace/sites/$siteId/domain" params={params}>
        {parts.domain}
      </Link>
      <Link to="/w/$workspace/sites/$siteId/crawl" params={params}>
        {parts.crawl}
      </Link>
    </nav>
  );
}

function SiteActs({ at, site: { name } }: { at: SitePath; site: Site }): ReactNode {
  const texts = useSiteTexts();
  const navigate = useNavigate();
  const path = pathOf(at);
  return (
    <>
      <NamedAct
        title={texts.duplicate}
        help={texts.duplicateHelp}
        field={{ label: texts.name, pointer: '/name' }}
        initial={filled(texts.copyName, { name }).slice(0, 200)}
        act={(copy, header) =>
          answer(
            api.POST('/w/{workspace_uuid}/sites/{site_id}/duplicate', {
              params: { path, header },
              body: { name: copy },
            }),
          )
        }
        onDone={({ id }) =>
          void navigate({
            to: '/w/$workspace/sites/$siteId',
            params: { workspace: at.uuid, siteId: String(id) },
          })
        }
      />
      <AsksFirst
        title={texts.remove}
        help={filled(texts.removeHelp, { name })}
        tone="danger"
        changes={sitesChanged}
        act={async () => {
          await answer(api.DELETE('/w/{workspace_uuid}/sites/{site_id}', { params: { path } }));
          // Before everything is read again: this site is gone.
          await navigate({ to: '/w/$workspace/sites', params: { workspace: at.uuid } });
        }}
      />
    </>
  );
}
