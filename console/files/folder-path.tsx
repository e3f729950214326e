import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../kit/workspace.js';
import { folderQuery } from './queries.js';
import { useFileTexts } from './texts.js';

/** How a step of a path is shown: a folder, or the root. */
type Step = (id: number | undefined, name: string) => ReactNode;

/** The folders from the root to one, each a step. */
export function FolderPath({ id, step }: { id: number | undefined; step: Step }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { data } = useQuery({ ...folderQuery(uuid, id ?? 0), enabled: id !== undefined });
  if (id === undefined) return step(undefined, texts.title);
  return (
    <>
      <FolderPath id={data?.parentFolderId ?? undefined} step={step} />
      <span aria-hidden="true"> / </span>
      {step(id, data?.name ?? '…')}
    </>
  );
}

/** The way to a folder, as links. */
export function FolderLinks({ id }: { id: number | undefined }): ReactNode {
  const { uuid } = useWorkspace();
  return (
    <FolderPath
      id={id}
      step={(folder, name) => (
        <Link to="/w/$workspace/files" params={{ workspace: uuid }} search={{ folder }}>
          {name}
        </Link>
      )}
    />
  );
}
