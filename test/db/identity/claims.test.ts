import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemberRow, uniqueEmail } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { database: testDatabase, workspace } = useWorkspace();
let app: pg.Client;
let relay: pg.Client;
let superuser: pg.Client;

beforeAll(async () => {
  app = new pg.Client({ connectionString: testDatabase.appUrl });
  relay = new pg.Client({ connectionString: testDatabase.relayUrl });
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await Promise.all([app.connect(), relay.connect(), superuser.connect()]);
});
afterAll(async () => {
  await Promise.all([app.end(), relay.end(), superuser.end()]);
});

const functions = ['members_claiming', 'hold_members_claiming'] as const;

describe.each(functions)('identity.%s', (name) => {
  const asked = `select * from identity.${name}($1, $2)`;

  it('returns to wes_app the ids of members with exactly this address, and nothing else', async () => {
    const email = uniqueEmail();
    const { id } = await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, email });
    const { rows, fields } = await app.query(asked, ['email', email]);
    expect(rows).toEqual([{ workspace_id: workspace.workspaceId, member_id: id }]);
    expect(fields.map((field) => field.dataTypeID)).toEqual([pg.types.builtins.INT8, pg.types.builtins.INT8]);
  });

  it.each([
    ['email', '%'],
    ['email', ''],
    ['name', 'Robin'],
    ['email', null],
    [null, null],
  ])('returns nothing for %s %s', async (channel, address) => {
    await addMemberRow(workspace, { memberRoleId: workspace.roles.member.id, name: 'Robin' });
    expect((await app.query(asked, [channel, address])).rows).toEqual([]);
  });

  it('does not make the rows of members readable', async () => {
    await app.query('begin');
    await app.query(asked, ['email', workspace.member.row.email]);
    expect((await app.query('select 1 from members')).rows).toEqual([]);
    await app.query('rollback');
  });

  it('can be executed by wes_app only', async () => {
    await expect(relay.query(asked, ['email', 'x'])).rejects.toMatchObject({ code: '42501' });
    const { rows } = await superuser.query(
      `select pg_get_userbyid(proowner) as owner, prosecdef as definer, proconfig as config, proacl::text as acl
       from pg_proc where proname = $1`,
      [name],
    );
    expect(rows).toEqual([
      {
        owner: 'wes_migrator',
        definer: true,
        config: ['search_path=pg_catalog, pg_temp'],
        acl: '{wes_migrator=X/wes_migrator,wes_app=X/wes_migrator}',
      },
    ]);
  });
});

describe('identity.members_pending', () => {
  const asked = 'select * from identity.members_pending($1, $2)';
  const note = async (memberId: number, channel: string, address: string) =>
    superuser.query(
      'insert into unproved_identifiers (workspace_id, member_id, channel, address) values ($1, $2, $3, $4)',
      [workspace.workspaceId, memberId, channel, address],
    );

  it('returns to wes_app the ids of living members with exactly this pending address, and nothing else', async () => {
    const [email, own] = [uniqueEmail(), uniqueEmail()];
    const memberRoleId = workspace.roles.member.id;
    const [pending, inUse, deleted] = [
      await addMemberRow(workspace, { memberRoleId, email: null }),
      await addMemberRow(workspace, { memberRoleId, email: own }),
      await addMemberRow(workspace, { memberRoleId }),
    ];
    await note(pending.id, 'email', email);
    await note(inUse.id, 'email', own);
    await note(deleted.id, 'email', email);
    await superuser.query('update members set deleted_at = now() where id = $1', [deleted.id]);

    expect((await app.query(asked, ['email', email])).rows).toEqual([
      { workspace_id: workspace.workspaceId, member_id: pending.id },
    ]);
    for (const [channel, address] of [
      ['email', own],
      ['phone', email],
      ['email', '%'],
      [null, null],
    ]) {
      expect((await app.query(asked, [channel, address])).rows).toEqual([]);
    }
    await expect(relay.query(asked, ['email', 'x'])).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the functions that bypass row-level security', () => {
  it('are exactly the known ones', async () => {
    const { rows } = await superuser.query(
      `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and n.nspname in ('public', 'identity') order by 1`,
    );
    // gather_statistics returns nothing, has_stored_objects whether there is one in any workspace. overdue_turns,
    // due_deliveries, due_scheduled_messages and oldest_erasure_seconds are for wes_relay and return only numbers. The searches read the current workspace alone, and return ids and ranks of what
    // the given reader may see, workspaces_due and workspaces_with only ids of workspaces. The two of versions are run by triggers only.
    expect(rows.map((row) => row.name)).toEqual(
      [
        'begin_site_version',
        'best_file_passages',
        'best_page_passages',
        'due_deliveries',
        'due_scheduled_messages',
        'gather_statistics',
        'has_stored_objects',
        'members_barred',
        'members_pending',
        'oldest_erasure_seconds',
        'overdue_turns',
        'file_search_words',
        'page_passage_words',
        'page_search_words',
        'passage_words',
        'raise_site_version',
        'search_messages',
        'search_page_passages',
        'search_passages',
        'search_readable_passages',
        'workspaces_due',
        'workspaces_with',
        ...functions,
      ].sort(),
    );
  });

  it('find a member among many by an index', async () => {
    const { workspaceId, roles } = workspace;
    await superuser.query(
      `insert into members (workspace_id, email, phone, member_role_id)
       select $1, 'many-' || n || '@example.com', '+1999' || n, $2 from generate_series(1, 20000) n`,
      [workspaceId, roles.member.id],
    );
    await superuser.query('analyze members');
    for (const body of await bodies()) {
      await superuser.query(`prepare claims (text, text) as ${body}`);
      await superuser.query(`set plan_cache_mode = force_generic_plan`);
      const { rows } = await superuser.query(`explain execute claims('phone', '+199977')`);
      await superuser.query('deallocate claims');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('members_claimed_email');
      expect(plan).toContain('members_claimed_phone');
      expect(plan).not.toContain('Seq Scan');
    }
  });
});

async function bodies(): Promise<string[]> {
  const { rows } = await superuser.query(`select prosrc as body from pg_proc where proname = any($1)`, [
    functions,
  ]);
  return rows.map((row) => row.body);
}
