import { ownRecordings } from '../calls/person-data.js';
import { ownChats, ownMails, type PersonTables } from '../lib/person-data.js';

/**
 * A member's files: those that it owns, among them what came with its messages, and those without an owner that were made
 * for it. What others sent in a chat that it takes part in is theirs, though it may read it.
 */
const ownFiles = `select id from files where owner_member_id = :member union all select file_id from file_attachments
  where member_id = :member and (chat_id is null or chat_id in (${ownChats}))
    and file_id in (select id from files where source <> 'upload' and owner_member_id is null)`;

/** What the tables of this area hold of a person. */
export const filesTables: PersonTables = {
  'public.files': {
    personal: 'title description filename external_id choice_prompt',
    rest: 'id workspace_id uuid folder_id site_id owner_member_id mime_type kind file_size access source current_version_id current_version_number last_edited_by_member_id created_at updated_at',
    about: `t.id in (${ownFiles})`,
    exported: { file: 'files' },
    erased: { by: 'delete' },
  },
  'public.file_versions': {
    personal: 'filename',
    rest: 'id workspace_id uuid file_id number object_id mime_type kind file_size uploaded_by_member_id created_at indexing_state indexing_reason indexing_attempts indexed_pages',
    about: `t.file_id in (${ownFiles})`,
    exported: { file: 'file-versions' },
    erased: { by: 'cascade', from: 'public.files' },
  },
  'public.file_passages': {
    personal: 'text tsv',
    rest: 'id workspace_id file_id version_id page ordinal language',
    about: `t.file_id in (${ownFiles})`,
    exported: { not: 'Extracted from the bytes of the files.' },
    erased: { by: 'cascade', from: 'public.files' },
  },
  'public.file_label_links': {
    rest: 'id workspace_id file_id file_label_id created_at',
    about: `t.file_id in (${ownFiles})`,
    exported: {
      file: 'file-labels',
      only: 'exists (select from file_labels l where l.id = t.file_label_id)',
      also: {
        labelName: `(select name from file_labels l where l.workspace_id = t.workspace_id and l.id = t.file_label_id)`,
      },
    },
    erased: { by: 'cascade', from: 'public.files' },
  },
  'public.file_shares': {
    secret: 'token_hash',
    rest: 'id workspace_id uuid file_id folder_id expires_at revoked_at uses last_used_at created_by_member_id created_at',
    about: `t.file_id in (${ownFiles})`,
    exported: { file: 'file-shares' },
    erased: { by: 'cascade', from: 'public.files' },
  },
  'public.stored_objects': {
    secret: 'sha256 mailed_domain',
    rest: 'id workspace_id uuid bytes mime_type state state_since created_by_member_id expires_at mailed_by',
    about: `t.id in (select object_id from file_versions where file_id in (${ownFiles})
      union all select object_id from person_exports where member_id = :member
      union all select object_id from member_imports where member_id = :member
      union all select object_id from inbound_emails where ${ownMails}
      union all select object_id from call_recording_segments where recording_id in (${ownRecordings}))`,
    exported: { not: 'Their bytes are in the folder `bytes` of the archive.' },
    erased: { by: 'cascade', from: 'public.files' },
  },
  'public.folders': {
    personal: 'name slug description',
    rest: 'id workspace_id uuid parent_folder_id access owner_member_id created_at updated_at',
    about: `t.owner_member_id = :member and t.access = 'private'`,
    exported: { file: 'private-folders' },
    erased: {
      by: 'empty',
      columns: { name: "'erased'", slug: "'erased-' || t.id", description: 'null' },
      kept: 'A folder that may hold files of others, without its name.',
    },
  },
  'public.file_attachments': {
    rest: 'id workspace_id file_id member_id chat_id assignment_id message_id record_id attached_by_member_id created_at',
    about: 't.member_id = :member',
    exported: { file: 'file-attachments', internal: true },
    erased: { by: 'delete' },
  },
  'public.file_labels': {
    configuration: 'name slug description',
    rest: 'id workspace_id uuid color created_at updated_at',
  },
  'public.storage_usage': {
    rest: 'id workspace_id bytes mail_bytes stranger_bytes',
  },
};
