import { connect } from '../../../test/support/db/connect.js';
import { countableSettings } from '../costs/meter.js';
import type { Effort } from '../figure.js';
import { measure, type Result } from '../measure.js';
import type { Backends } from '../stage/stage.js';
import { type Installation, openInstallation } from './installation.js';
import type { Question } from './questions.js';

/** Of the installation with a hundredth of the rows. */
const target = { ratioAtMost: 1.2 };
const hundredth = 1 / 100;

/** Of the PostgreSQL of both. */
export const largeSettings = [
  ...countableSettings,
  'pg_stat_statements.track_planning=on',
  'shared_buffers=1GB',
];

export interface Installations {
  measure(question: Question): Promise<Result>;
  close(): Promise<void>;
}

/** Fills an installation of this part of a whole one, and one with a hundredth of it. */
export async function openInstallations(
  backends: Backends,
  scale: number,
  effort: Pick<Effort, 'rounds' | 'warmUpRounds'>,
): Promise<Installations> {
  const small = await asked(await openInstallation(backends, scale * hundredth));
  const large = await asked(await openInstallation(backends, scale));
  return {
    measure(question) {
      const { name, title } = question;
      const samples = { floor: () => small.ask(question), measured: () => large.ask(question) };
      return measure({ name, title, unit: 'ms', target }, samples, effort);
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

async function asked(installation: Installation) {
  const { stage } = installation;
  const api = await stage.startApi();
  const client = await connect(stage.superuserUrl);
  await client.query('create extension if not exists pg_stat_statements');
  stage.whenClosed(() => client.end());
  const spentMs = async () => {
    const { rows } = await client.query<{ ms: number }>(
      `select coalesce(sum(total_exec_time + total_plan_time), 0) as ms from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and userid <> current_user::regrole`,
    );
    return rows[0]?.ms ?? 0;
  };
  return {
    /** The time that PostgreSQL takes for one, planning included. */
    async ask({ times, ask }: Question): Promise<number> {
      const before = await spentMs();
      for (let nth = 0; nth < times; nth += 1) await ask(installation, api, nth);
      return ((await spentMs()) - before) / times;
    },
    close: () => stage.close(),
  };
}
