import knex, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as plainExternalIds from '../../db/migrations/0213-plain-external-ids.js';
import { plainText } from '../../domain/lib/plain-text.js';
import { useWorkspace } from '../support/workspace/use-workspace.js';

const { workspace, database } = useWorkspace();
let migrator: Knex;

beforeAll(() => {
  migrator = knex({ client: 'pg', connection: database.migratorUrl });
});
afterAll(() => migrator.destroy());

it('external ids of earlier versions take their plain form, and of those that look the same the oldest does', async () => {
  const { workspaceId, member } = workspace;
  const given = [
    'A1 ',
    'A1\u00a0',
    'B2',
    'B2\u200b',
    'Mu\u0308ller',
    '\u202aC3\u202c',
    'ไทย\u200d',
    'D 4',
    '\u200b',
  ];
  const [{ member_role_id }] = await migrator('members')
    .where({ id: member.memberId })
    .select('member_role_id');
  const ids: number[] = [];
  for (const external_id of given) {
    const row = { workspace_id: workspaceId, kind: 'human', member_role_id, external_id };
    const [{ id }] = await migrator('members').insert(row).returning('id');
    ids.push(id);
  }

  for (const _twice of [1, 2]) await migrator.transaction((tx) => plainExternalIds.up(tx));

  const rows = await migrator('members').whereIn('id', ids).orderBy('id').select('external_id');
  const stored = rows.map(({ external_id }) => external_id);
  expect(stored).toEqual(['A1', 'A1\u00a0', 'B2', 'B2\u200b', 'Müller', 'C3', 'ไทย', 'D 4', '\u200b']);
  expect(stored[4]).toBe(plainText('Mu\u0308ller'));
});
