import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isGone, type Schemas } from '../../kit/api.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Page } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { useTexts } from '../../texts/texts.js';
import { useLocaleName } from '../locale-fields.js';
import { PageState } from '../pages-page.js';
import { type Site, siteQuery } from '../queries.js';
import { useSiteTexts } from '../texts.js';
import { useSitePath } from '../with-site.js';
import { DocumentEditor } from './document-editor.js';
import { NewDocument } from './new-document.js';
import { documentsQuery, type PagePath, pageQuery, type SitePage } from './queries.js';
import { useEditorTexts } from './texts.js';

/** A page of a site: what is written in each language, and whether visitors read it. */
export function PagePage(): ReactNode {
  const texts = useEditorTexts();
  const { loading } = useTexts();
  const { pageId } = useParams({ strict: false });
  const at = { ...useSitePath(), pageId: Number(pageId) };
  const site = useQuery(siteQuery(at));
  const page = useQuery(pageQuery(at));
  const error = site.error ?? page.error;
  if (site.data === undefined || page.data === undefined || isGone(error)) {
    return (
      <Page title={texts.page} above={<ToPages at={at} name={site.data?.body.name} />}>
        {error === null ? <p role="status">{loading}</p> : null}
        {isGone(error) ? <p>{texts.gone}</p> : <ErrorNotice error={error} />}
      </Page>
    );
  }
  return <OpenPage key={at.pageId} at={at} site={site.data.body} page={page.data.body} error={error} />;
}

function ToPages({ at, name }: { at: PagePath; name: string | undefined }): ReactNode {
  const { title, parts } = useSiteTexts();
  const params = { workspace: at.uuid, siteId: String(at.siteId) };
  return (
    <>
      <Link to="/w/$workspace/sites" params={params}>
        {title}
      </Link>{' '}
      ›{' '}
      <Link to="/w/$workspace/sites/$siteId" params={params}>
        {name ?? '…'}
      </Link>{' '}
      ›{' '}
      <Link to="/w/$workspace/sites/$siteId/pages" params={params}>
        {parts.pages}
      </Link>
    </>
  );
}

interface OpenPageProps {
  at: PagePath;
  site: Site;
  page: SitePage;
  error: Error | null;
}

function OpenPage({ at, site, page, error }: OpenPageProps): ReactNode {
  const { can } = useWorkspace();
  const { locale = page.primaryLocale } = useSearch({ from: '/w/$workspace/sites/$siteId/pages/$pageId' });
  const documents = useQuery(documentsQuery(at));
  const mayChange = can('sites:write');
  return (
    <Page
      title={<span dir="auto">{page.title}</span>}
      above={<ToPages at={at} name={site.name} />}
      acts={<PageState page={page} />}
    >
      <ErrorNotice error={error} />
      <Read query={documents}>
        {(all) => {
          const props = { at: { ...at, locale }, site, page, documents: all, mayChange };
          const isWritten = all.some((one) => one.locale === locale);
          return (
            <>
              <Languages {...{ at, site, locale }} documents={all} />
              {isWritten ? (
                <DocumentEditor key={locale} {...props} />
              ) : (
                <NewDocument key={locale} {...props} />
              )}
            </>
          );
        }}
      </Read>
    </Page>
  );
}

interface LanguagesProps {
  at: PagePath;
  site: Site;
  locale: string;
  documents: readonly Schemas['PageDocumentSummaryResponse'][];
}

/** The ways between the languages of a page, with what has become of each. */
function Languages({ at, site, locale, documents }: LanguagesProps): ReactNode {
  const texts = useEditorTexts();
  const { states } = useSiteTexts().pages;
  const nameOf = useLocaleName();
  const locales = new Set([...documents.map((one) => one.locale), ...(site.availableLocales ?? [])]);
  const params = { workspace: at.uuid, siteId: String(at.siteId), pageId: String(at.pageId) };
  if (locales.size < 2) return null;
  return (
    <nav aria-label={texts.languages} className="parts">
      {[...locales].map((one) => {
        const written = documents.find((document) => document.locale === one);
        return (
          <Link
            key={one}
            to="/w/$workspace/sites/$siteId/pages/$pageId"
            params={params}
            search={{ locale: one }}
            aria-current={one === locale ? 'page' : undefined}
          >
            {nameOf(one)}{' '}
            <span className="quiet">
              {written === undefined ? texts.notWritten : states[stateOf(written)]}
            </span>
          </Link>
        );
      })}
    </nav>
  );
}

function stateOf({
  version,
  publishedVersion,
}: LanguagesProps['documents'][number]): 'draft' | 'published' | 'changed' {
  if (publishedVersion === null) return 'draft';
  return publishedVersion === version ? 'published' : 'changed';
}
