import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isGone } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Page } from '../kit/page.js';
import { Beside } from '../kit/panel.js';
import { SearchField } from '../kit/search-field.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { FileGrid } from './file-grid.js';
import { OpenFile } from './file-panel.js';
import { Filters } from './filters.js';
import { FolderLink, FolderList } from './folder-list.js';
import { OpenFolder } from './folder-panel.js';
import { FolderLinks } from './folder-path.js';
import { Found } from './found.js';
import { NewFolder } from './new-folder.js';
import { Seen } from './parts.js';
import { folderQuery, mayChange } from './queries.js';
import type { FilesSearch } from './search.js';
import { ChooseFiles, DropFiles } from './take-files.js';
import { useFileTexts } from './texts.js';
import { UploadList } from './upload-list.js';
import { upload } from './uploads.js';

/** The folders and files of a folder or of the root, or what a search finds; one of them is open beside the list. */
export function FilesPage(): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const search = useSearch({ from: '/w/$workspace/files' });
  const navigate = useNavigate({ from: '/w/$workspace/files' });
  const change = (changed: FilesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { folder: id, open, q } = search;
  const { data: folder, error } = useQuery({ ...folderQuery(uuid, id ?? 0), enabled: id !== undefined });
  const close = () => change({ open: undefined });
  if (isGone(error)) {
    return (
      <Page title={texts.title} above={<FolderLinks id={undefined} />}>
        <p>{texts.noSuchFolder}</p>
      </Page>
    );
  }
  const title = id === undefined ? texts.title : (folder?.name ?? '…');
  const takesFiles = id === undefined || (folder !== undefined && mayChange(folder));
  return (
    <Page
      fills
      title={title}
      above={folder === undefined ? undefined : <FolderLinks id={folder.parentFolderId ?? undefined} />}
      acts={
        <>
          {folder === undefined ? null : (
            <>
              <span>
                <Seen of={folder} />
              </span>
              <Link
                className="button"
                to="/w/$workspace/files"
                params={{ workspace: uuid }}
                search={{ ...search, open: 'folder' }}
              >
                {texts.aboutFolder}
              </Link>
            </>
          )}
          {takesFiles ? <Adding key={id} folder={id} title={title} /> : null}
        </>
      }
    >
      <ErrorNotice error={error} />
      <search className="filters">
        <SearchField
          label={texts.search}
          value={q}
          onSearch={(text) => change({ q: text, open: undefined })}
        />
        {q === undefined ? <Filters search={search} onChange={change} /> : null}
      </search>
      <UploadList />
      <Beside
        panel={
          open === undefined ? null : open === 'folder' ? (
            folder === undefined ? null : (
              <OpenFolder key={folder.id} folder={folder} onClose={close} />
            )
          ) : (
            <OpenFile key={open} id={open} onClose={close} />
          )
        }
      >
        {q === undefined ? (
          <>
            {search.all ? null : <FolderList parent={id} item={(one) => <FolderLink folder={one} />} />}
            <FileGrid key={id} search={search} takesFiles={takesFiles} change={change} />
          </>
        ) : (
          <Found q={q} search={search} />
        )}
      </Beside>
    </Page>
  );
}

/** What can be put into a folder, or into the root. */
function Adding({ folder, title }: { folder: number | undefined; title: string }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const take = (files: readonly File[]) => upload(uuid, { folder }, files);
  return (
    <>
      <NewFolder parent={folder} />
      <ChooseFiles multiple className="primary" label={texts.upload} onFiles={take} />
      <DropFiles hint={filled(texts.drop, { name: title })} onFiles={take} />
    </>
  );
}
