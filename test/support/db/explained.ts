import { Database } from '../../../db/database.js';
import { Transaction } from '../../../db/transaction.js';
import { connect } from './connect.js';

/** A node of a plan, as `explain (format json)` tells it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface Explained {
  /** How tables were read: `Index Scan data_records_by_id`, … */
  scans: string[];
  rows: number;
}

/** Runs `work` with a database that explains statements about some tables and about event rules. Nothing is kept. */
export async function explaining(
  appUrl: string,
  workspaceId: number,
  work: (database: Database) => Promise<unknown>,
  asked = /^select .*\bdata_record/s,
): Promise<Explained[]> {
  const client = await connect(appUrl);
  const explained: Explained[] = [];
  const answer = async (text: string, values: readonly unknown[]) => {
    const explain = async () => {
      const told = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      explained.push(readPlan(told.rows[0]['QUERY PLAN'][0].Plan));
    };
    // It writes, which is done once: nobody is told what came of it.
    if (/^with stored .*\bevent_rules/s.test(text)) {
      await explain();
      return { command: 'SELECT', rowCount: 0, rows: [] };
    }
    const { command, rowCount, rows } = await client.query(text, [...values]);
    if (asked.test(text)) await explain();
    return { command, rowCount, rows };
  };
  let last: Promise<unknown> = client.query('begin');
  const execute = ({ text, values }: { text: string; values: readonly unknown[] }) => {
    const answered = last.then(() => answer(text, values));
    last = answered.catch(() => {});
    return answered;
  };
  try {
    await work(new Database({ source: new Transaction({ execute }, workspaceId) }));
  } finally {
    await client.end();
  }
  return explained;
}

/** What a plan says, as `explain (analyze, format json)` tells it. */
export function readPlan(plan: PlanNode): Explained {
  const tables = nodesOf(plan).filter((node) => tableOf(node) !== undefined);
  return {
    scans: tables.map((node) => `${node['Node Type']} ${tableOf(node)}`),
    rows: tables.reduce((sum, node) => sum + rowsOf(node), 0),
  };
}

function tableOf(node: PlanNode): string | undefined {
  return node['Index Name'] ?? node['Relation Name'];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
