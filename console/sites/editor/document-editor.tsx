import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, taggedAnswer } from '../../kit/api.js';
import { FormErrorContext, InputField, TextAreaField } from '../../kit/field.js';
import { Read } from '../../kit/read.js';
import { SaveState } from '../../kit/save-state.js';
import { type StoredValue, useSavedDraft } from '../../kit/use-saved-draft.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { Preview } from '../preview.js';
import { useSiteTexts } from '../texts.js';
import styles from './editor.module.css';
import { Links } from './links.js';
import type { DocumentProps } from './new-document.js';
import { PageActs } from './page-acts.js';
import {
  documentQuery,
  pageChanged,
  pathOf,
  type StoredDocument,
  storedDocument,
  type Written,
} from './queries.js';
import { RevisionView } from './revision-view.js';
import { Revisions } from './revisions.js';
import { RichText } from './rich-text.js';
import { useEditorTexts } from './texts.js';

/** What is written of a page in one language, beside what one can do with the page. */
export function DocumentEditor(props: DocumentProps): ReactNode {
  const document = useQuery(documentQuery(props.at));
  return <Read query={document}>{(stored) => <Open {...props} stored={stored} />}</Read>;
}

type View = 'write' | 'preview' | number;

function Open({ stored, ...props }: DocumentProps & { stored: StoredDocument }): ReactNode {
  const texts = useEditorTexts();
  const { at, site, page, mayChange } = props;
  const draft = useDocumentDraft(at, stored, mayChange);
  const [view, setView] = useState<View>('write');
  const change = (changed: Partial<Written>) => draft.change({ ...draft.value, ...changed });
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <div className={styles.bar}>
          <div className="acts">
            {(['write', 'preview'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
                {mayChange ? texts.views[one] : texts.viewsToRead[one]}
              </button>
            ))}
          </div>
          {mayChange ? <SaveState draft={draft} texts={texts} /> : null}
        </div>
        {view === 'preview' ? <PreviewOfPage {...props} version={stored.etag} /> : null}
        {typeof view === 'number' ? (
          <RevisionView at={at} id={view} mayChange={mayChange} onClose={() => setView('write')} />
        ) : null}
        <div hidden={view !== 'write'} className={styles.written}>
          <FormErrorContext value={draft.error}>
            <InputField
              label={texts.title}
              pointer="/title"
              required
              maxLength={200}
              lang={at.locale}
              readOnly={!mayChange}
              value={draft.value.title}
              onChange={({ target }) => change({ title: target.value })}
            />
            <RichText
              label={texts.text}
              site={site}
              locale={at.locale}
              isEditable={mayChange}
              value={draft.value.contentBlocks}
              onChange={(contentBlocks) => change({ contentBlocks })}
            />
            <Links at={at} blocks={draft.value.contentBlocks} />
            <TextAreaField
              label={texts.description}
              pointer="/metaDescription"
              hint={texts.descriptionHint}
              rows={2}
              maxLength={500}
              lang={at.locale}
              readOnly={!mayChange}
              value={draft.value.metaDescription ?? ''}
              onChange={({ target }) => change({ metaDescription: target.value || null })}
            />
          </FormErrorContext>
        </div>
      </div>
      <aside className={styles.side} aria-label={filled(texts.about, { title: page.title })}>
        <PageActs {...props} isSaved={draft.state === 'saved'} />
        <Revisions at={at} version={stored.document.version} shown={view} onShow={setView} />
      </aside>
    </div>
  );
}

function PreviewOfPage({ at, site, page, version }: DocumentProps & { version: string }): ReactNode {
  const { look } = useSiteTexts();
  if (site.redirectUrl !== null) return <p>{filled(look.redirects, { address: site.redirectUrl })}</p>;
  return <Preview siteUuid={site.uuid} slug={page.slug} locale={at.locale} version={version} />;
}

function useDocumentDraft(at: DocumentProps['at'], stored: StoredDocument, isEditable: boolean) {
  const queries = useQueryClient();
  const { uuid, me } = useWorkspace();
  const readAgain = () =>
    void Promise.all(pageChanged(at).map((key) => queries.invalidateQueries({ queryKey: [uuid, ...key] })));
  const save = async ({ value, etag }: StoredValue<Written>): Promise<StoredValue<Written>> => {
    const next = storedDocument(
      await taggedAnswer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}', {
          params: { path: pathOf(at), header: { 'If-Match': etag } },
          body: value,
        }),
      ),
    );
    queries.setQueryData(documentQuery(at).queryKey, next);
    readAgain();
    return next;
  };
  return useSavedDraft({
    place: `${uuid}:${me.id}:page:${at.pageId}:${at.locale}`,
    stored,
    isEditable,
    save,
    onRefused: readAgain,
  });
}
