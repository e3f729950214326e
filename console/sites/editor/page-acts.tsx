import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Form, InputField } from '../../kit/field.js';
import { Facts, Section } from '../../kit/page.js';
import { At, useOwnClock } from '../../kit/times.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { useLocaleName } from '../locale-fields.js';
import { pathOf as pathOfSite, siteQuery } from '../queries.js';
import { SaveBar } from '../save-bar.js';
import { useFieldsForm } from '../use-fields-form.js';
import type { DocumentProps } from './new-document.js';
import { pageChanged, pageQuery, pathOf, pathOfPage } from './queries.js';
import { useEditorTexts } from './texts.js';

interface Props extends DocumentProps {
  /** Whether what was written here is stored: nothing else is published. */
  isSaved: boolean;
}

/** Whether visitors read a page, where it is, and the end of it. */
export function PageActs(props: Props): ReactNode {
  const texts = useEditorTexts();
  const { at, site, page, mayChange } = props;
  return (
    <>
      <Section title={texts.publishing}>
        {page.publishFailure === null ? null : <p className="error">{texts.notPublished}</p>}
        <Facts
          facts={[
            [texts.publishedAt, page.publishedAt && <At key="at" at={page.publishedAt} withDay />],
            [
              texts.visitorsAt,
              page.status === 'published' ? (
                <a key="url" href={page.url} target="_blank" rel="noreferrer">
                  {new URL(page.url).pathname}
                </a>
              ) : null,
            ],
            [
              texts.source,
              page.sourceUrl && (
                <a key="source" href={page.sourceUrl} target="_blank" rel="noreferrer">
                  {page.sourceUrl}
                </a>
              ),
            ],
            [texts.crawledAt, page.crawledAt && <At key="crawled" at={page.crawledAt} withDay />],
          ]}
        />
        {site.isPublic ? null : <p className="quiet">{texts.siteIsInternal}</p>}
        {mayChange ? <Publishing {...props} /> : null}
      </Section>
      <Section title={texts.address}>
        <SlugForm {...props} />
        {mayChange ? <HomePage {...props} /> : null}
      </Section>
      {mayChange ? (
        <div className="acts">
          <DeleteDocument {...props} />
          <DeletePage at={at} title={page.title} />
        </div>
      ) : null}
    </>
  );
}

function Publishing({ at, page, documents, isSaved }: Props): ReactNode {
  const texts = useEditorTexts();
  const nameOf = useLocaleName();
  const clock = useOwnClock();
  const [later, setLater] = useState('');
  const params = { path: pathOfPage(at) };
  const languages = documents.map(({ locale }) => nameOf(locale)).join(', ');
  return (
    <div className="acts">
      <AsksFirst
        title={texts.publish}
        help={isSaved ? filled(texts.publishHelp, { languages }) : texts.saveFirst}
        disabled={!isSaved}
        changes={pageChanged(at)}
        act={() =>
          answer(
            api.POST('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/publish', {
              params,
              body: later === '' ? {} : { publishAt: new Date(later).toISOString() },
            }),
          )
        }
        onDone={() => setLater('')}
      >
        <InputField
          label={texts.publishAt}
          pointer="/publishAt"
          hint={`${texts.publishAtHint} ${clock}`}
          type="datetime-local"
          value={later}
          onChange={({ target }) => setLater(target.value)}
        />
      </AsksFirst>
      {page.status === 'draft' && page.publishAt === null ? null : (
        <AsksFirst
          title={texts.withdraw}
          help={texts.withdrawHelp}
          tone="danger"
          changes={pageChanged(at)}
          act={() =>
            answer(api.POST('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/unpublish', { params }))
          }
        />
      )}
    </div>
  );
}

function SlugForm({ at, page, mayChange }: Props): ReactNode {
  const texts = useEditorTexts();
  const queries = useQueryClient();
  const { uuid, me } = useWorkspace();
  const form = useFieldsForm<{ slug: string }>({
    place: `${uuid}:${me.id}:page:${at.pageId}:slug`,
    stored: { slug: page.slug },
    read: () => queries.fetchQuery({ ...pageQuery(at), staleTime: 0 }),
    write: (body, etag) =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}', {
          params: { path: pathOfPage(at), header: { 'If-Match': etag } },
          body,
        }),
      ),
    onSaved: () => queries.invalidateQueries({ queryKey: [uuid, 'sites', at.siteId] }),
  });
  return (
    <Form error={form.error} onSubmit={form.save}>
      <InputField
        label={texts.slug}
        pointer="/slug"
        hint={texts.slugHint}
        required
        maxLength={100}
        autoCapitalize="none"
        spellCheck={false}
        readOnly={!mayChange}
        value={form.value.slug}
        onChange={({ target }) => form.change({ slug: target.value })}
      />
      {form.isChanged || form.isSaved ? <SaveBar form={form} /> : null}
    </Form>
  );
}

function HomePage({ at, page }: Props): ReactNode {
  const texts = useEditorTexts();
  const set = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}', {
          params: { path: pathOfSite(at) },
          body: { homePageId: page.isHomePage ? null : page.id },
        }),
      ),
    siteQuery(at).queryKey.slice(1),
  );
  return (
    <>
      <p>{page.isHomePage ? texts.isHome : texts.isNotHome}</p>
      <div className="acts">
        <button type="button" disabled={set.isPending} onClick={() => set.mutate()}>
          {page.isHomePage ? texts.unmakeHome : texts.makeHome}
        </button>
      </div>
      <ErrorNotice error={set.error} />
    </>
  );
}

function DeleteDocument({ at, page, documents }: Props): ReactNode {
  const texts = useEditorTexts();
  const nameOf = useLocaleName();
  const navigate = useNavigate();
  const language = nameOf(at.locale);
  if (documents.length < 2) return null;
  return (
    <AsksFirst
      title={filled(texts.removeLanguage, { language })}
      help={filled(texts.removeLanguageHelp, { language })}
      tone="danger"
      changes={pageChanged(at)}
      act={async () => {
        await answer(
          api.DELETE('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}', {
            params: { path: pathOf(at) },
          }),
        );
        const left = documents.find(({ locale }) => locale !== at.locale)?.locale;
        await navigate({
          to: '.',
          search: { locale: page.primaryLocale === at.locale ? left : page.primaryLocale },
        });
      }}
    />
  );
}

function DeletePage({ at, title }: { at: DocumentProps['at']; title: string }): ReactNode {
  const texts = useEditorTexts();
  const navigate = useNavigate();
  return (
    <AsksFirst
      title={texts.removePage}
      help={filled(texts.removePageHelp, { title })}
      tone="danger"
      changes={pageChanged(at)}
      act={async () => {
        await answer(
          api.DELETE('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}', {
            params: { path: pathOfPage(at) },
          }),
        );
        // Before everything is read again: this page is gone.
        await navigate({
          to: '/w/$workspace/sites/$siteId/pages',
          params: { workspace: at.uuid, siteId: String(at.siteId) },
        });
      }}
    />
  );
}
