import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api } from '../kit/api.js';
import { Choice } from '../kit/choice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Status } from '../kit/page.js';
import { SearchField } from '../kit/search-field.js';
import { Ago, At } from '../kit/times.js';
import { useLocaleName } from './locale-fields.js';
import { NamedAct } from './named-act.js';
import { type ListedPage, pageSize, pagesPage, pathOf, type SitePath } from './queries.js';
import type { PagesSearch } from './search.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { type OpenSite, WithSite } from './with-site.js';

/** The pages of a site, with what has become of each document. */
export function PagesPage(): ReactNode {
  return <WithSite fills>{(open) => <PagesOfSite open={open} />}</WithSite>;
}

function PagesOfSite({ open: { at, mayChange } }: { open: OpenSite }): ReactNode {
  const { pages: texts, changed, parts } = useSiteTexts();
  const search = useSearch({ from: '/w/$workspace/sites/$siteId/pages' });
  const navigate = useNavigate({ from: '/w/$workspace/sites/$siteId/pages' });
  const change = (given: PagesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...given }), replace: true });
  const params = { workspace: at.uuid, siteId: String(at.siteId) };
  const columns: Column<ListedPage>[] = [
    {
      id: 'title',
      title: texts.title,
      cell: ({ id, title, isHomePage }) => (
        <>
          <Link
            to="/w/$workspace/sites/$siteId/pages/$pageId"
            params={{ ...params, pageId: String(id) }}
            dir="auto"
          >
            {title}
          </Link>{' '}
          {isHomePage ? <Status>{texts.home}</Status> : null}
        </>
      ),
    },
    { id: 'slug', title: texts.slug, width: '12rem', cell: ({ slug }) => <code>/{slug}</code> },
    { id: 'state', title: texts.state, width: '15rem', cell: (page) => <PageState page={page} /> },
    { id: 'locales', title: texts.locales, width: '14rem', cell: (page) => <Locales page={page} /> },
    { id: 'changed', title: changed, width: '8rem', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
  ];
  const isFiltered = search.search !== undefined || search.status !== undefined;
  return (
    <>
      <search className="filters">
        <SearchField
          label={texts.search}
          value={search.search}
          onSearch={(text) => change({ search: text })}
        />
        <Choice
          label={texts.state}
          all={texts.allStates}
          value={search.status}
          options={(['draft', 'scheduled', 'published'] as const).map(
            (status) => [status, texts.states[status]] as const,
          )}
          onChange={(status) => change({ status })}
        />
        {mayChange ? <NewPage at={at} /> : null}
      </search>
      <Grid
        label={parts.pages}
        columns={columns}
        pageSize={pageSize}
        page={(number) => pagesPage(at, search, number)}
        empty={isFiltered ? texts.noneFound : texts.none}
      />
    </>
  );
}

type Stated = Pick<ListedPage, 'status' | 'publishAt' | 'hasUnpublishedChanges' | 'publishFailure'>;

/** Whether visitors read a page. */
export function PageState({ page }: { page: Stated }): ReactNode {
  const { states } = useSiteTexts().pages;
  if (page.publishFailure !== null) return <Status tone="danger">{states.notPublished}</Status>;
  if (page.publishAt !== null) {
    return (
      <Status>
        {states.scheduled} <At at={page.publishAt} withDay />
      </Status>
    );
  }
  if (page.hasUnpublishedChanges) return <Status tone="warning">{states.changed}</Status>;
  return page.status === 'published' ? (
    <Status tone="done">{states.published}</Status>
  ) : (
    <Status>{states.draft}</Status>
  );
}

const tones = { draft: 'quiet', published: 'done', changed: 'warning' } as const;

function Locales({ page: { documents } }: { page: ListedPage }): ReactNode {
  const { states } = useSiteTexts().pages;
  const nameOf = useLocaleName();
  return documents.map(({ locale, state }) => (
    <span key={locale} className={styles.locale} title={`${nameOf(locale)}: ${states[state]}`}>
      <Status tone={tones[state]}>
        {locale}
        <span className="unseen"> {states[state]}</span>
      </Status>{' '}
    </span>
  ));
}

function NewPage({ at }: { at: SitePath }): ReactNode {
  const { pages: texts } = useSiteTexts();
  const navigate = useNavigate();
  return (
    <NamedAct
      title={texts.create}
      help={texts.createHelp}
      field={{ label: texts.title, pointer: '/title' }}
      act={(title, header) =>
        answer(
          api.POST('/w/{workspace_uuid}/sites/{site_id}/pages', {
            params: { path: pathOf(at), header },
            body: { title },
          }),
        )
      }
      onDone={({ id }) =>
        void navigate({
          to: '/w/$workspace/sites/$siteId/pages/$pageId',
          params: { workspace: at.uuid, siteId: String(at.siteId), pageId: String(id) },
        })
      }
    />
  );
}
