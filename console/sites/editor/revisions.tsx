import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { MemberName } from '../../kit/member-picker.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { At } from '../../kit/times.js';
import styles from './editor.module.css';
import { type DocumentPath, revisionsQuery } from './queries.js';
import { useEditorTexts } from './texts.js';

interface Props {
  at: DocumentPath;
  /** Of the document: another one may have left a revision behind. */
  version: number;
  shown: unknown;
  onShow(id: number): void;
}

/** The versions of a document that were kept, to look at and to restore. */
export function Revisions({ at, version, shown, onShow }: Props): ReactNode {
  const texts = useEditorTexts();
  const revisions = useQuery(revisionsQuery(at));
  const { refetch } = revisions;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is what has changed.
  useEffect(() => void refetch(), [version, refetch]);
  return (
    <Section title={texts.revisions}>
      <Read query={revisions}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{texts.noRevisions}</p>
          ) : (
            <ul className={styles.revisions}>
              {items.map(({ id, editedAt, reason, editedByMemberId }) => (
                <li key={id}>
                  <button
                    type="button"
                    className="link"
                    aria-pressed={shown === id}
                    onClick={() => onShow(id)}
                  >
                    <At at={editedAt} withDay />
                  </button>
                  <span className="quiet">
                    {texts.reasons[reason]}
                    {' · '}
                    {editedByMemberId === null ? texts.byCrawl : <MemberName id={editedByMemberId} />}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </Section>
  );
}
