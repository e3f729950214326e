import type pg from 'pg';
import type { TestMember } from '../../support/workspace/factories.js';
import { type Attack, getAs } from './attack.js';

export const members = 300_000;

/** Members of the workspace of `like`, by a superuser whose session checks no foreign keys. */
export async function insertMembers(superuser: pg.Client, like: TestMember): Promise<void> {
  await superuser.query(
    `insert into members (workspace_id, kind, name, member_role_id)
     select workspace_id, kind, 'Sample ' || to_hex(number::bigint * 7919), member_role_id
     from members, generate_series(1, $2) number where id = $1`,
    [like.memberId, members],
  );
  await superuser.query('analyze members');
}

/** No index helps to find a part of a name. */
export const searches: Attack = {
  name: `searches over ${members} members`,
  // Those that wait for a connection for too long are told when to come back, and a search of ten seconds is given up.
  expected: [200, 429, 500],
  async prepare(scene) {
    const { workspace } = scene;
    await scene.asSuperuser((superuser) => insertMembers(superuser, workspace.member));
    const requests = Array.from({ length: 10 }, (_, number) =>
      getAs(scene, workspace.admin.apiKey, `/members?search=nobody%20${number}`),
    );
    return { requests, concurrency: 60 };
  },
};
