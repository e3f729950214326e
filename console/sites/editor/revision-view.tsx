import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { type DocumentPath, pageChanged, pathOf, revisionQuery } from './queries.js';
import { RichText } from './rich-text.js';
import { useEditorTexts } from './texts.js';

interface Props {
  at: DocumentPath;
  id: number;
  mayChange: boolean;
  onClose(): void;
}

/** A version that was kept. */
export function RevisionView({ at, id, mayChange, onClose }: Props): ReactNode {
  const texts = useEditorTexts();
  const revision = useQuery(revisionQuery(at, id));
  return (
    <Read query={revision}>
      {({ title, metaDescription, contentBlocks }) => (
        <Section
          title={title}
          acts={
            <>
              {mayChange ? (
                <AsksFirst
                  title={texts.restore}
                  help={texts.restoreHelp}
                  changes={pageChanged(at)}
                  act={() =>
                    answer(
                      api.POST(
                        '/w/{workspace_uuid}/sites/{site_id}/pages/{page_id}/documents/{locale}/revisions/{revision_id}/restore',
                        { params: { path: { ...pathOf(at), revision_id: id } } },
                      ),
                    )
                  }
                  onDone={onClose}
                />
              ) : null}
              <button type="button" onClick={onClose}>
                {texts.backToText}
              </button>
            </>
          }
        >
          {metaDescription === null ? null : <p className="quiet">{metaDescription}</p>}
          <RichText key={id} label={texts.text} locale={at.locale} isEditable={false} value={contentBlocks} />
        </Section>
      )}
    </Read>
  );
}
