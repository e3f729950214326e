import type pg from 'pg';
import { type Explained, readPlan } from '../db/explained.js';

interface Asked {
  workspaceId: number;
  memberId: number;
  readsAll?: boolean;
  word: string;
}

export interface ExplainedSearch extends Explained {
  /** Index conditions of the plan. */
  conditions: string[];
}

/**
 * Runs the statement of `best_file_passages` as its role does, and tells how it was executed: with a plan for its
 * parameters, and with one for any. `explain` does not look into functions.
 * @param superuser a connection of its own, which has another role meanwhile
 */
export async function explainSearch(
  superuser: Pick<pg.Client, 'query'>,
  { workspaceId, memberId, readsAll = false, word }: Asked,
): Promise<ExplainedSearch[]> {
  return explainFunction(superuser, workspaceId, {
    name: 'best_file_passages',
    parameters: [
      'words',
      'as_written',
      'reader',
      'reads_all',
      'reads_workspace',
      'folders',
      'most_ranked',
      'most',
    ],
    types: 'tsquery, tsquery, bigint, boolean, boolean, bigint[], integer, integer',
    values: `'${word}', '${word}', ${memberId}, ${readsAll}, true, null, 5000, 20`,
  });
}

/** `explainSearch` for the search of pages of sites. */
export async function explainPageSearch(
  superuser: Pick<pg.Client, 'query'>,
  { workspaceId, word }: Pick<Asked, 'workspaceId' | 'word'>,
): Promise<ExplainedSearch[]> {
  return explainFunction(superuser, workspaceId, {
    name: 'best_page_passages',
    parameters: ['words', 'as_written', 'all_sites', 'most_ranked', 'most'],
    types: 'tsquery, tsquery, boolean, integer, integer',
    values: `'${word}', '${word}', false, 5000, 20`,
  });
}

interface Searched {
  name: string;
  parameters: readonly string[];
  types: string;
  values: string;
}

async function explainFunction(
  superuser: Pick<pg.Client, 'query'>,
  workspaceId: number,
  { name: functionName, parameters, types, values }: Searched,
): Promise<ExplainedSearch[]> {
  const { rows: bodies } = await superuser.query<{ prosrc: string; proconfig: string[] }>(
    'select prosrc, proconfig from pg_proc where proname = $1',
    [functionName],
  );
  const { prosrc, proconfig } = bodies[0] ?? { prosrc: '', proconfig: [] };
  const named = new RegExp(`\\b(${parameters.join('|')})\\b`, 'g');
  const body = prosrc.replace(named, (name) => `$${parameters.indexOf(name) + 1}`);
  const explained: ExplainedSearch[] = [];
  await superuser.query('begin');
  try {
    await superuser.query('set local role wes_search');
    await superuser.query(`select set_config('app.workspace_id', $1, true)`, [String(workspaceId)]);
    for (const setting of proconfig) {
      const [name = '', value = ''] = setting.split('=');
      await superuser.query('select set_config($1, $2, true)', [name, value]);
    }
    await superuser.query(`prepare explained_search(${types}) as ${body}`);
    for (const planning of ['force_custom_plan', 'force_generic_plan']) {
      await superuser.query(`set local plan_cache_mode = ${planning}`);
      const { rows } = await superuser.query(
        `explain (analyze, format json)
         execute explained_search(${values})`,
      );
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      const conditions = [...JSON.stringify(plan).matchAll(/"Index Cond":"((?:[^"\\]|\\.)*)"/g)];
      explained.push({ ...readPlan(plan), conditions: conditions.map(([, condition = '']) => condition) });
    }
    await superuser.query('deallocate explained_search');
  } finally {
    await superuser.query('rollback');
  }
  return explained;
}
