import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, isGone } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { MemberName } from '../kit/member-picker.js';
import { Facts } from '../kit/page.js';
import { Panel } from '../kit/panel.js';
import { Read } from '../kit/read.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled, useLocale } from '../texts/texts.js';
import { type Details, DetailsForm } from './details-form.js';
import { FileLabels } from './file-labels.js';
import styles from './files.module.css';
import { FolderLinks } from './folder-path.js';
import { Indexing } from './indexing.js';
import { Links } from './links.js';
import { Move } from './move.js';
import { Seen } from './parts.js';
import { Preview } from './preview.js';
import { bytesAddress, fileQuery, mayChange, mayDelete, mayShare, type StoredFile } from './queries.js';
import { kindOf, sizeOf } from './size.js';
import { useFileTexts } from './texts.js';
import { Versions } from './versions.js';

/** One file beside the list. */
export function OpenFile({ id, onClose }: { id: number; onClose(): void }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const query = useQuery(fileQuery(uuid, id));
  return (
    <Panel title={query.data?.title ?? texts.file} onClose={onClose}>
      {isGone(query.error) ? (
        <p>{texts.noSuchFile}</p>
      ) : (
        <Read query={query}>{(file) => <OneFile file={file} />}</Read>
      )}
    </Panel>
  );
}

interface FileChange {
  title?: string;
  description?: string | null;
  choicePrompt?: string | null;
  access?: StoredFile['access'];
  folderId?: number | null;
  labelIds?: number[];
}

function OneFile({ file }: { file: StoredFile }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const { id, currentVersionNumber } = file;
  const path = { workspace_uuid: uuid, file_id: id };
  const views = ['about', 'versions', ...(mayShare(file) ? (['links'] as const) : [])] as const;
  const [view, setView] = useState<(typeof views)[number]>('about');
  const save = (body: FileChange) =>
    answer(api.PUT('/w/{workspace_uuid}/files/{file_id}', { params: { path }, body }));
  return (
    <>
      <Preview file={file} />
      <div className="acts">
        <a className="button" href={bytesAddress(uuid, id, currentVersionNumber)} download>
          {texts.download}
        </a>
        {mayChange(file) ? (
          <Move from={file.folder?.id} move={(folderId) => save({ folderId })} changes={[['files']]} />
        ) : null}
        {mayDelete(file) ? <DeleteFile file={file} /> : null}
      </div>
      <div className={`acts ${styles.views}`}>
        {views.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
            {texts.views[one]}
          </button>
        ))}
      </div>
      {view === 'versions' ? <Versions file={file} /> : null}
      {view === 'links' ? <Links of={{ file }} /> : null}
      {view === 'about' ? <About file={file} save={save} /> : null}
    </>
  );
}

interface AboutProps {
  file: StoredFile;
  save(body: FileChange): Promise<unknown>;
}

function About({ file, save }: AboutProps): ReactNode {
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const readNow = () => queries.query({ ...fileQuery(uuid, file.id), staleTime: 0 });
  return (
    <>
      <FileFacts file={file} />
      <Indexing file={file} />
      <FileLabels
        file={file}
        read={async () => (await readNow()).labels.map(({ id }) => id)}
        save={(labelIds) => save({ labelIds })}
      />
      {mayChange(file) ? (
        <DetailsForm
          place={`file:${file.id}`}
          reads={[['files']]}
          pointerOfName="/title"
          stored={detailsOf(file)}
          read={async () => detailsOf(await readNow())}
          save={(written) => save(changesOf(written))}
        />
      ) : null}
    </>
  );
}

const detailsOf = ({ title, description, choicePrompt, access }: StoredFile): Details => ({
  name: title,
  description: description ?? '',
  choicePrompt: choicePrompt ?? '',
  access,
});

/** What was written, as the API takes it: an empty text is none. */
function changesOf({ name, description, choicePrompt, access }: Partial<Details>): FileChange {
  return {
    ...(name === undefined ? {} : { title: name.trim() }),
    ...(description === undefined ? {} : { description: description.trim() || null }),
    ...(choicePrompt === undefined ? {} : { choicePrompt: choicePrompt.trim() || null }),
    ...(access === undefined ? {} : { access }),
  };
}

function FileFacts({ file }: { file: StoredFile }): ReactNode {
  const texts = useFileTexts();
  const locale = useLocale();
  const { can } = useWorkspace();
  const { description, mimeType, fileSize, filename, createdAt, updatedAt } = file;
  const { ownerId, lastEditedByMemberId: editedBy, externalId } = file;
  const named = (id: number | undefined) =>
    id === undefined || !can('members:read') ? undefined : <MemberName id={id} />;
  return (
    <Facts
      facts={[
        [texts.seenBy, <Seen key="seen" of={file} />],
        [texts.folder, <FolderLinks key="folder" id={file.folder?.id} />],
        [texts.kind, `${kindOf(mimeType)}, ${sizeOf(fileSize, locale)}`],
        [
          texts.filename,
          <span key="filename" dir="auto">
            {filename}
          </span>,
        ],
        [texts.owner, named(ownerId)],
        [texts.created, <At key="created" at={createdAt} withDay />],
        [texts.changed, <At key="changed" at={updatedAt} withDay />],
        [texts.changedBy, named(editedBy)],
        [texts.externalId, externalId],
        [texts.description, mayChange(file) ? undefined : description],
      ]}
    />
  );
}

function DeleteFile({ file }: { file: StoredFile }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate({ from: '/w/$workspace/files' });
  const { id, title, currentVersionNumber, shareCount } = file;
  return (
    <AsksFirst
      title={texts.remove}
      tone="danger"
      help={filled(texts.removeFileHelp, { name: title, versions: currentVersionNumber, links: shareCount })}
      act={async () => {
        const path = { workspace_uuid: uuid, file_id: id };
        await answer(api.DELETE('/w/{workspace_uuid}/files/{file_id}', { params: { path } }));
        // Before everything is read again: this file is gone.
        await navigate({ search: (before) => ({ ...before, open: undefined }) });
      }}
      changes={[['files', 'list']]}
    />
  );
}
