import { afterAll, describe, expect, it } from 'vitest';
import { beforeFiles, type OldFile, selectOldFiles } from '../../../db/files/forget-files.js';
import { forgetOldFiles } from '../../../domain/files/files/forget-old-files.js';
import { explaining } from '../../support/db/explained.js';
import { useConnection } from '../../support/db/use-database.js';
import { addFile } from '../../support/files/add-file.js';
import { createMemoryStore } from '../../support/files/memory-store.js';
import { allBatches, allDeleted } from '../../support/lib/all-batches.js';
import { days, MovedClock } from '../../support/lib/moved-clock.js';
import { addTypeWithFiles, holdFiles } from '../../support/records/holding-records.js';
import { conversationTasks } from '../../support/workspace/definitions.js';
import { addAssignment } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const suite = useWorkspace({ storesEvents: true });
const query = useConnection(() => suite.database.superuserUrl);
const clock = new MovedClock();
const store = createMemoryStore();
afterAll(() => store.close());
const batch = (after?: OldFile) =>
  forgetOldFiles({ db: suite.database.database, clock }, suite.workspace.workspaceId, 30, after);
const forget = () => allDeleted<OldFile>(batch);

/** A file that was changed so many days ago. */
async function add(age: number, access: 'private' | 'workspace' | 'public' = 'private'): Promise<number> {
  const { id } = await addFile(suite.workspace, store, { access });
  await query('update files set updated_at = $2 where id = $1', [
    id,
    new Date(clock.now().getTime() - days(age)),
  ]);
  return id;
}

const left = async (ids: readonly number[]) => {
  const { rows } = await query<{ id: number }>('select id from files where id = any($1) order by id', [ids]);
  return rows.map(({ id }) => id);
};

describe('files that have not changed for longer than the workspace says', () => {
  it('are deleted with their bytes if they are private, and receivers are told', async () => {
    const ids = [await add(31), await add(29), await add(99, 'workspace'), await add(99, 'public')];

    expect(await forget()).toBe(1);

    expect(await left(ids)).toEqual(ids.slice(1));
    const { rows } = await query('select state from stored_objects order by state');
    expect(rows.map(({ state }) => state)).toEqual(['doomed', 'stored', 'stored', 'stored']);
    const { rows: events } = await query('select body from events where event_type = $1', ['file:deleted']);
    expect(events).toEqual([{ body: expect.stringContaining(`"id":${ids[0]},`) }]);
    expect(await forget()).toBe(0);
  });

  it('are kept while a record or an active assignment has them', async () => {
    const [ofRecord, ofAssignment, ofChat] = [await add(31), await add(31), await add(31)];
    const { assignment } = await addAssignment(suite.workspace, { rootTask: conversationTasks() });
    const { workspaceId } = suite.workspace;
    await query('set session_replication_role = replica');
    await query(
      `insert into file_attachments (workspace_id, file_id, record_id, assignment_id, chat_id)
       values ($1, $2, 1, null, null), ($1, $3, null, $5, null), ($1, $4, null, null, $6)`,
      [workspaceId, ofRecord, ofAssignment, ofChat, assignment.id, assignment.chatId],
    );
    await query('set session_replication_role = origin');
    expect(await forget()).toBe(1);
    expect(await left([ofRecord, ofAssignment, ofChat])).toEqual([ofRecord, ofAssignment]);

    await query(`update assignments set status = 'completed', concluded_at = now() where id = $1`, [
      assignment.id,
    ]);
    expect(await forget()).toBe(1);
    expect(await left([ofRecord, ofAssignment])).toEqual([ofRecord]);
  });

  it('are kept while a record holds them, and from the moment that it is written', async () => {
    const { workspace } = suite;
    const type = await addTypeWithFiles(workspace);
    const id = await add(31);
    await workspace.within(async (tx) => {
      await holdFiles(tx, workspace, type, [id]);
      expect(await forget()).toBe(0);
    });
    expect(await forget()).toBe(0);
    expect(await left([id])).toEqual([id]);

    await query('delete from data_records where data_type_id = $1', [type.id]);
    expect(await forget()).toBe(1);
  });

  it('are deleted in batches, past those that are kept', async () => {
    const { rows } = await query<{ id: number }>(
      `insert into files (workspace_id, title, filename, mime_type, kind, file_size, current_version_id, updated_at)
       overriding system value
       select workspace_id, title, filename, mime_type, kind, file_size, current_version_id, now() - interval '1 year'
       from files cross join generate_series(1, 250) where id = $1 returning id`,
      [await add(1)],
    );
    expect(await allBatches(batch)).toEqual([100, 100, 50]);
    expect(await left(rows.map(({ id }) => id))).toEqual([]);
  });

  it('are found by an index among very many that everyone reads', async () => {
    const { workspaceId } = suite.workspace;
    await query('set session_replication_role = replica');
    await query(
      `insert into files (workspace_id, title, filename, mime_type, kind, file_size, current_version_id, access, updated_at)
       select $1, 'T', 'f', 'text/plain', 'document', 1, 1, case when i % 2 = 0 then 'workspace' else 'private' end,
         case when i % 2 = 0 then now() - interval '1 year' else now() end
       from generate_series(1, 40000) i`,
      [workspaceId],
    );
    await query('set session_replication_role = origin');
    await query('analyze files');
    const before = new Date(clock.now().getTime() - days(30));
    const explained = await explaining(
      suite.database.appUrl,
      workspaceId,
      (db) =>
        db.readInWorkspace(workspaceId, (tx) =>
          selectOldFiles(tx, { before, after: beforeFiles, limit: 100 }),
        ),
      /from files/,
    );
    expect(explained.flatMap(({ scans }) => scans)).toEqual(['Index Only Scan files_to_forget']);
    expect(Math.max(...explained.map(({ rows }) => rows))).toBeLessThan(10);
  });
});
