import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Choice } from '../kit/choice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page, Status } from '../kit/page.js';
import { SearchField } from '../kit/search-field.js';
import { Ago } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { NamedAct } from './named-act.js';
import { pageSize, type Site, sitesPage } from './queries.js';
import type { SitesSearch } from './search.js';
import { useSiteTexts } from './texts.js';
import { SiteState } from './with-site.js';

/** The sites of the workspace. */
export function SitesPage(): ReactNode {
  const texts = useSiteTexts();
  const { uuid, can } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/sites/' });
  const navigate = useNavigate({ from: '/w/$workspace/sites' });
  const change = (changed: SitesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const columns: Column<Site>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link to="/w/$workspace/sites/$siteId" params={{ workspace: uuid, siteId: String(id) }}>
          {name}
        </Link>
      ),
    },
    { id: 'state', title: texts.readers, width: '9rem', cell: (site) => <SiteState site={site} /> },
    {
      id: 'address',
      title: texts.address,
      width: '20rem',
      cell: ({ url }) => (
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
      ),
    },
    { id: 'domain', title: texts.parts.domain, width: '9rem', cell: (site) => <DomainState site={site} /> },
    { id: 'pages', title: texts.parts.pages, width: '5rem', cell: ({ pageCount }) => pageCount },
    { id: 'changed', title: texts.changed, width: '8rem', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  const isFiltered = search.search !== undefined || search.readers !== undefined;
  return (
    <Page title={texts.title} fills acts={can('sites:write') ? <NewSite /> : undefined}>
      <search className="filters">
        <SearchField
          label={texts.searchSites}
          value={search.search}
          onSearch={(text) => change({ search: text })}
        />
        <Choice
          label={texts.readers}
          all={texts.allReaders}
          value={search.readers}
          options={[
            ['public', texts.isPublic],
            ['internal', texts.isInternal],
          ]}
          onChange={(readers) => change({ readers })}
        />
      </search>
      <Grid
        label={texts.title}
        columns={columns}
        pageSize={pageSize}
        page={(page) => sitesPage(uuid, search, page)}
        empty={isFiltered ? texts.noneFound : texts.none}
      />
    </Page>
  );
}

function DomainState({ site: { customDomain, isMapped } }: { site: Site }): ReactNode {
  const texts = useSiteTexts();
  if (isMapped) return <Status tone="done">{texts.domain.mapped}</Status>;
  return customDomain === null ? null : <Status tone="warning">{texts.domain.waiting}</Status>;
}

function NewSite(): ReactNode {
  const texts = useSiteTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid };
  return (
    <NamedAct
      title={texts.create}
      help={texts.createHelp}
      field={{ label: texts.name, pointer: '/name' }}
      act={(name, header) =>
        answer(api.POST('/w/{workspace_uuid}/sites', { params: { path, header }, body: { name } }))
      }
      onDone={({ id }) =>
        void navigate({
          to: '/w/$workspace/sites/$siteId',
          params: { workspace: uuid, siteId: String(id) },
        })
      }
    />
  );
}
