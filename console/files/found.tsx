import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Section } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import styles from './files.module.css';
import { FolderLink } from './folder-list.js';
import { mostNames, namesFound, passagesFound } from './queries.js';
import type { FilesSearch } from './search.js';
import { useFileTexts } from './texts.js';

interface Props {
  q: string;
  search: FilesSearch;
}

/** What a search finds in all folders: names, and passages in the texts of files. */
export function Found({ q, search }: Props): ReactNode {
  return (
    <div className={styles.found}>
      <Names q={q} search={search} />
      <Passages q={q} search={search} />
    </div>
  );
}

function Names({ q, search }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  return (
    <Section title={texts.inNames}>
      <Read query={useQuery(namesFound(uuid, q))}>
        {({ files, folders }) => (
          <>
            {files.total + folders.total === 0 ? <p className="quiet">{texts.noNames}</p> : null}
            <ul className={styles.names}>
              {folders.items.map((folder) => (
                <li key={`folder ${folder.id}`}>
                  <FolderLink folder={folder} />
                </li>
              ))}
              {files.items.map(({ id, title, folder }) => (
                <li key={id}>
                  <ToFile id={id} title={title} search={search} />
                  {folder === null ? null : <span className="quiet"> · {folder.name}</span>}
                </li>
              ))}
            </ul>
            {Math.max(files.total, folders.total) > mostNames ? (
              <p className="quiet">{texts.moreNames}</p>
            ) : null}
          </>
        )}
      </Read>
    </Section>
  );
}

function Passages({ q, search }: Props): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  return (
    <Section title={texts.inTexts}>
      <Read query={useQuery(passagesFound(uuid, q))}>
        {({ items, pendingFiles }) => (
          <>
            {pendingFiles === 0 ? null : (
              <p role="status" className="quiet">
                {filled(texts.pendingFiles, { count: pendingFiles })}
              </p>
            )}
            {items.length === 0 ? <p className="quiet">{texts.noPassages}</p> : null}
            <ul className={styles.passages}>
              {items.map(({ file, page, excerpt }) => (
                <li key={`${file.id} ${page} ${excerpt}`}>
                  <ToFile id={file.id} title={file.title} search={search} />
                  {page === null ? null : <span className="quiet"> · {filled(texts.page, { page })}</span>}
                  <p dir="auto">
                    <Excerpt html={excerpt} />
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Read>
    </Section>
  );
}

function ToFile({ id, title, search }: { id: number; title: string; search: FilesSearch }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/files"
      params={{ workspace: uuid }}
      search={{ ...search, open: id }}
      aria-current={search.open === id ? 'true' : undefined}
      dir="auto"
    >
      {title}
    </Link>
  );
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** An excerpt of the API as text: its only elements mark the words that were found, and all else in it is escaped. */
function Excerpt({ html }: { html: string }): ReactNode {
  return html.split(/<\/?mark>/).map((part, index) => {
    const text = part.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
    // Every other part is between the tags of a mark.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
    return index % 2 === 1 ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>;
  });
}
