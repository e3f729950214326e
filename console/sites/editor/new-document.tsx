import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Section } from '../../kit/page.js';
import { useAct } from '../../kit/use-act.js';
import { filled } from '../../texts/texts.js';
import { useLocaleName } from '../locale-fields.js';
import type { Site } from '../queries.js';
import { type DocumentPath, pageChanged, pathOf, type SitePage } from './queries.js';
import { useEditorTexts } from './texts.js';

export interface DocumentProps {
  at: DocumentPath;
  site: Site;
  page: SitePage;
  documents: readonly Schemas['PageDocumentSummaryResponse'][];
  mayChange: boolean;
}

/** A language that a page is not written in yet: it begins as a copy, to be translated. */
export function NewDocument({ at, page, mayChange }: DocumentProps): ReactNode {
  const texts = useEditorTexts();
  const nameOf = useLocaleName();
  const { title, metaDescription, contentBlocks } = page;
  const begin = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}', {
          params: { path: pathOf(at) },
          body: { title, metaDescription, contentBlocks },
        }),
      ),
    ...pageChanged(at),
  );
  const values = { language: nameOf(at.locale), from: nameOf(page.primaryLocale) };
  return (
    <Section title={filled(texts.notIn, values)}>
      <p>{filled(texts.notInHelp, values)}</p>
      <ErrorNotice error={begin.error} />
      {mayChange ? (
        <div className="acts">
          <button type="button" className="primary" disabled={begin.isPending} onClick={() => begin.mutate()}>
            {filled(texts.begin, values)}
          </button>
        </div>
      ) : null}
    </Section>
  );
}
