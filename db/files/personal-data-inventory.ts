import { ownRecordings } from '../calls/personal-data-inventory.js';
import { ownChats, ownMails, type PersonalDataInventory } from '../lib/personal-data-inventory.js';
import { FileModel } from './models/file.js';
import { FileAttachmentModel } from './models/file-attachment.js';
import { FileLabelLinkModel, FileLabelModel } from './models/file-label.js';
import { FilePassageModel } from './models/file-passage.js';
import { FileShareModel } from './models/file-share.js';
import { FileVersionModel } from './models/file-version.js';
import { FolderModel } from './models/folder.js';
import { StorageUsageModel, StoredObjectModel } from './models/stored-object.js';

/**
 * A member's files: those that it owns, among them what came with its messages, and those without an owner that were made
 * for it. What others sent in a chat that it takes part in is theirs, though it may read it.
 */
const ownFiles = `select id from files where owner_member_id = :member union all select file_id from file_attachments
  where member_id = :member and (chat_id is null or chat_id in (${ownChats}))
    and file_id in (select id from files where source <> 'upload' and owner_member_id is null)`;

/** What the tables of this area hold of a person. */
export const filesTables: PersonalDataInventory = {
  aboutMembers: [
    {
      model: FileModel,
      about: `t.id in (${ownFiles})`,
      exported: { file: 'files' },
      erased: { by: 'delete' },
    },
    {
      model: FileVersionModel,
      about: `t.file_id in (${ownFiles})`,
      exported: { file: 'file-versions' },
      erased: { by: 'cascade', from: FileModel },
    },
    {
      model: FilePassageModel,
      about: `t.file_id in (${ownFiles})`,
      exported: { not: 'Extracted from the bytes of the files.' },
      erased: { by: 'cascade', from: FileModel },
    },
    {
      model: FileLabelLinkModel,
      about: `t.file_id in (${ownFiles})`,
      exported: {
        file: 'file-labels',
        only: 'exists (select from file_labels l where l.id = t.file_label_id)',
        also: {
          labelName: `(select name from file_labels l where l.workspace_id = t.workspace_id and l.id = t.file_label_id)`,
        },
      },
      erased: { by: 'cascade', from: FileModel },
    },
    {
      model: FileShareModel,
      about: `t.file_id in (${ownFiles})`,
      exported: { file: 'file-shares' },
      erased: { by: 'cascade', from: FileModel },
    },
    {
      model: StoredObjectModel,
      about: `t.id in (select object_id from file_versions where file_id in (${ownFiles})
      union all select object_id from person_exports where member_id = :member
      union all select object_id from member_imports where member_id = :member
      union all select object_id from inbound_emails where ${ownMails}
      union all select object_id from call_recording_segments where recording_id in (${ownRecordings}))`,
      exported: { not: 'Their bytes are in the folder `bytes` of the archive.' },
      erased: { by: 'cascade', from: FileModel },
    },
    {
      model: FolderModel,
      about: `t.owner_member_id = :member and t.access = 'private'`,
      exported: { file: 'private-folders' },
      erased: {
        by: 'empty',
        columns: { name: "'erased'", slug: "'erased-' || t.id" },
        kept: 'A folder that may hold files of others, without its name.',
      },
    },
    {
      model: FileAttachmentModel,
      about: 't.member_id = :member',
      exported: { file: 'file-attachments', internal: true },
      erased: { by: 'delete' },
    },
  ],
  others: [FileLabelModel, StorageUsageModel],
};
