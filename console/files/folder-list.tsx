import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../kit/error-notice.js';
import { useWorkspace } from '../kit/workspace.js';
import { useTexts } from '../texts/texts.js';
import styles from './files.module.css';
import { type Folder, foldersIn } from './queries.js';
import { useFileTexts } from './texts.js';

interface Props {
  parent: number | undefined;
  /** A folder that is left out, with what is in it. */
  without?: number | undefined;
  /** What stands for a folder. */
  item(folder: Folder): ReactNode;
  none?: ReactNode;
}

/** The folders directly in a folder, or at the root. */
export function FolderList({ parent, without, item, none = null }: Props): ReactNode {
  const { more } = useTexts();
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(foldersIn(uuid, parent));
  const folders = data?.pages.flatMap(({ items }) => items).filter(({ id }) => id !== without);
  return (
    <>
      <ErrorNotice error={error} />
      {folders?.length === 0 ? none : null}
      {folders === undefined || folders.length === 0 ? null : (
        <ul className={styles.folders} aria-label={texts.folders}>
          {folders.map((folder) => (
            <li key={folder.id}>{item(folder)}</li>
          ))}
          {hasNextPage ? (
            <li>
              <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
                {more}
              </button>
            </li>
          ) : null}
        </ul>
      )}
    </>
  );
}

/** A folder as a link to what is in it. */
export function FolderLink({ folder: { id, name } }: { folder: Pick<Folder, 'id' | 'name'> }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/files"
      params={{ workspace: uuid }}
      search={{ folder: id }}
      className={styles.folder}
    >
      <FolderSign />
      <span dir="auto">{name}</span>
    </Link>
  );
}

export function FolderSign(): ReactNode {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 16" className={styles.sign}>
      <path d="M1 3a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2z" />
    </svg>
  );
}
