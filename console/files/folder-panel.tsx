import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { SelectField } from '../kit/field.js';
import { MemberName } from '../kit/member-picker.js';
import { Facts } from '../kit/page.js';
import { Panel } from '../kit/panel.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { filled } from '../texts/texts.js';
import { type Details, DetailsForm } from './details-form.js';
import { Links } from './links.js';
import { Move } from './move.js';
import { Seen } from './parts.js';
import { type Folder, filesPage, folderQuery, foldersIn, mayChange, mayDelete, mayShare } from './queries.js';
import { useFileTexts } from './texts.js';

interface FolderChange {
  name?: string;
  description?: string | null;
  access?: Folder['access'];
  parentFolderId?: number | null;
}

const detailsOf = ({ name, description, access }: Folder): Details => ({
  name,
  description: description ?? '',
  access,
});

/** The folder that is shown, beside what is in it. */
export function OpenFolder({ folder, onClose }: { folder: Folder; onClose(): void }): ReactNode {
  const texts = useFileTexts();
  const { uuid, can } = useWorkspace();
  const queries = useQueryClient();
  const { id, name, description, ownerId, createdAt, updatedAt } = folder;
  const path = { workspace_uuid: uuid, folder_id: id };
  const save = (body: FolderChange) =>
    answer(api.PUT('/w/{workspace_uuid}/folders/{folder_id}', { params: { path }, body }));
  return (
    <Panel title={name} onClose={onClose}>
      {mayChange(folder) ? (
        <div className="acts">
          <Move
            from={folder.parentFolderId ?? undefined}
            without={id}
            move={(parentFolderId) => save({ parentFolderId })}
            changes={[['folders']]}
          />
          {mayDelete(folder) ? <DeleteFolder folder={folder} /> : null}
        </div>
      ) : null}
      <Facts
        facts={[
          [texts.seenBy, <Seen key="seen" of={folder} />],
          [
            texts.owner,
            ownerId === null || !can('members:read') ? undefined : <MemberName key="owner" id={ownerId} />,
          ],
          [texts.created, <At key="created" at={createdAt} withDay />],
          [texts.changed, <At key="changed" at={updatedAt} withDay />],
          [texts.description, mayChange(folder) ? undefined : description],
        ]}
      />
      {mayChange(folder) ? (
        <>
          <p className="quiet">{texts.folderAccessHelp}</p>
          <DetailsForm
            place={`folder:${id}`}
            reads={[['folders']]}
            pointerOfName="/name"
            stored={detailsOf(folder)}
            read={async () => detailsOf(await queries.query({ ...folderQuery(uuid, id), staleTime: 0 }))}
            save={({ description: written, name: named, ...changed }) =>
              save({
                ...changed,
                ...(named === undefined ? {} : { name: named.trim() }),
                ...(written === undefined ? {} : { description: written.trim() || null }),
              })
            }
          />
        </>
      ) : null}
      {mayShare(folder) ? (
        <>
          <h3>{texts.links}</h3>
          <Links of={{ folder }} />
        </>
      ) : null}
    </Panel>
  );
}

function DeleteFolder({ folder: { id, name, parentFolderId } }: { folder: Folder }): ReactNode {
  const texts = useFileTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const { data: files, error } = useQuery(filesPage(uuid, { folder: id }, 1));
  const { data: folders, error: ofFolders } = useInfiniteQuery(foldersIn(uuid, id));
  const [isMoved, setIsMoved] = useState(true);
  const inside = { files: files?.total ?? 0, folders: folders?.pages[0]?.total ?? 0 };
  const isUnknown = files === undefined || folders === undefined;
  const isEmpty = inside.files + inside.folders === 0;
  const contents = isEmpty ? {} : { contents: isMoved ? `move:${parentFolderId ?? 'root'}` : 'delete' };
  return (
    <AsksFirst
      title={texts.remove}
      tone="danger"
      disabled={isUnknown}
      help={
        isUnknown ? '' : filled(isEmpty ? texts.removeEmptyFolder : texts.removeFolder, { name, ...inside })
      }
      act={async () => {
        const params = { path: { workspace_uuid: uuid, folder_id: id }, query: contents };
        await answer(api.DELETE('/w/{workspace_uuid}/folders/{folder_id}', { params }));
        // Before everything is read again: this folder is gone.
        await navigate({
          to: '/w/$workspace/files',
          params: { workspace: uuid },
          search: { folder: parentFolderId ?? undefined },
        });
      }}
      changes={[['files'], ['folders', 'list']]}
    >
      <ErrorNotice error={error ?? ofFolders} />
      {isEmpty ? null : (
        <SelectField
          label={texts.contents}
          pointer="/contents"
          value={isMoved ? 'move' : 'delete'}
          onChange={({ target }) => setIsMoved(target.value === 'move')}
        >
          <option value="move">{texts.contentsMoved}</option>
          <option value="delete">{texts.contentsDeleted}</option>
        </SelectField>
      )}
    </AsksFirst>
  );
}
