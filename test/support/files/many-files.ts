import pg from 'pg';
import type { FileAccess } from '../../../db/files/files.js';
import { fillTables } from '../db/fill-tables.js';
import type { TestWorkspace } from '../workspace/factories.js';

/** A folder, a label and a member, each with `filesTogether` files; as many others are attached for the member. */
export interface ManyFiles {
  folderId: number;
  labelId: number;
  memberId: number;
}

/** How many files each folder, label and owner has, however many there are. */
export const filesTogether = 50;

/**
 * So many rows of files in the workspace, without versions. A tenth is public, a tenth private, a hundredth media.
 * Nothing is analysed.
 * @param access that of the other eight tenths
 */
export async function makeManyFiles(
  superuserUrl: string,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  { total, access }: { total: number; access: FileAccess },
): Promise<ManyFiles> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const labelsFrom = workspaceId * 10_000_000;
    const tables = ['files', 'file_labels', 'file_label_links', 'file_attachments'];
    await fillTables(client, tables, async () => {
      await client.query(
        `insert into files (workspace_id, folder_id, owner_member_id, title, filename, mime_type, kind, file_size, access,
           external_id, current_version_id, created_at, updated_at)
         select $1, 1000000 + i % groups, 2000000 + i % groups, to_hex(i * 7919 % 1000003), 'leaflet.txt', 'text/plain',
           case i % 100 when 0 then 'media' else 'document' end, 100,
           case i % 10 when 1 then 'private' when 2 then $3 else $4 end, 'external-' || i, 0, moment, moment
         from (select i, $2::bigint / ${filesTogether} as groups, '2030-01-01'::timestamptz + i * interval '1 second' as moment
           from generate_series(1, $2::bigint) i) numbered`,
        [workspaceId, total, access === 'private' ? 'private' : 'public', access],
      );
      await client.query(
        `insert into file_labels (id, workspace_id, name, slug, color) overriding system value
         select distinct $2::bigint + folder_id, workspace_id, 'Label', 'label-' || folder_id, '#808080'
         from files where workspace_id = $1`,
        [workspaceId, labelsFrom],
      );
      await client.query(
        `insert into file_label_links (workspace_id, file_id, file_label_id)
         select workspace_id, id, $2::bigint + folder_id from files where workspace_id = $1`,
        [workspaceId, labelsFrom],
      );
      await client.query(
        `insert into file_attachments (workspace_id, file_id, member_id, chat_id)
         select workspace_id, id, 1000000 - 1 + folder_id, 1 from files where workspace_id = $1`,
        [workspaceId],
      );
    });
    return { folderId: 1_000_003, labelId: labelsFrom + 1_000_003, memberId: 2_000_003 };
  } finally {
    await client.end();
  }
}

/** Passages of these files: `of` each, with the word `leaflet` and one of its folder, `group1000003` for example. */
export async function addManyPassages(
  superuser: Pick<pg.Client, 'query'>,
  places: readonly Pick<TestWorkspace, 'workspaceId'>[],
  { of }: { of: number },
): Promise<void> {
  await fillTables(superuser, ['file_passages'], async () => {
    for (const { workspaceId } of places) {
      await superuser.query(
        `insert into file_passages (workspace_id, file_id, version_id, page, ordinal, text, language, tsv)
         select workspace_id, id, 0, page, row_number() over (), 'leaflet group' || folder_id, 'simple',
           array_to_tsvector(array['leaflet', 'group' || folder_id])
         from files cross join generate_series(1, $2) page where workspace_id = $1`,
        [workspaceId, of],
      );
    }
  });
  await superuser.query('analyze files, file_passages, file_attachments');
}
