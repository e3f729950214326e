import { rename } from 'node:fs/promises';
import pg from 'pg';
import type { KnobValues } from '../../../tools/simulators/carrier/knobs.js';
import type { Mishap } from '../../../tools/simulators/mail/start-mail-simulator.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../support/simulators/ask.js';
import { absenceNotice } from './agents.js';
import { persons } from './operations.js';
import type { Outage, Weather } from './plan.js';
import type { Town } from './town.js';

export interface Fault {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How long the right moment for a kill is looked for, before it is done at any moment. */
const momentWithinMs = 3_000;

/** The relay has taken entries of the outbox and brings them to Temporal. */
const relaying = `select 1 from pg_stat_activity
  where application_name = 'wes-relay' and state = 'idle in transaction' and exists (select 1 from outbox)`;
/** What clients have asked for so far that a run has to see to, as far as it is committed. */
const askedFor = `select (select count(*) from assignments) +
  (select count(*) from messages m join chats c on c.id = m.chat_id where m.role = 'user' and not c.paused) as count`;
/** A process holds a call that was answered. */
const talking = 'select 1 from call_bridges where began_at is not null and ended_at is null';
const cutOff =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'wes-relay%'";

export function outageOf(town: Town, name: Outage['name']): Fault {
  const { worker, postgres, temporal } = town;
  switch (name) {
    case 'worker_killed':
      return { start: () => worker.kill(), stop: () => worker.start() };
    case 'worker_killed_relaying':
      return workerDiesRelaying(town);
    case 'worker_killed_sending':
      return workerDiesSending(town);
    case 'worker_killed_emailing':
      return workerDiesEmailing(town);
    case 'media_killed':
      return mediaDiesTalking(town);
    case 'api_killed':
      return apiDiesCommitting(town);
    case 'relay_cut_off':
      return relayCutOff(town);
    case 'temporal_killed':
      return { start: () => temporal.kill(), stop: () => temporal.start() };
    case 'postgres_killed':
      return { start: () => postgres.kill(), stop: () => postgres.start() };
    case 'storage_away':
      return storageAway(town);
  }
}

/** The folder is gone with all that is in it, as without its volume, while api and worker run on. */
function storageAway({ storageFolder }: Town): Fault {
  const elsewhere = `${storageFolder}-away`;
  return {
    start: () => rename(storageFolder, elsewhere),
    stop: () => rename(elsewhere, storageFolder),
  };
}

/** The worker dies while its relay delivers: what Temporal took is not crossed off yet. */
function workerDiesRelaying(town: Town): Fault {
  return {
    start: () =>
      withDatabase(town, async (client) => {
        await momentIn(client, relaying);
        await town.worker.kill();
      }),
    stop: () => town.worker.start(),
  };
}

/** The worker dies when the carrier has taken a message and the worker was not told, or after some seconds. */
function workerDiesSending({ worker, carrierLine, system }: Town): Fault {
  let lost: KnobValues['lost'] = false;
  return {
    async start() {
      lost = (await ask<KnobValues>(system.carrier.url, 'GET', '/simulator/knobs')).lost;
      await system.carrier.turn({ lost: true });
      const before = carrierLine.withheld();
      carrierLine.withhold(true);
      const isSent = () => carrierLine.withheld() > before;
      await waitFor('a message is sent', isSent, momentWithinMs).catch(() => undefined);
      await worker.kill();
      carrierLine.withhold(false);
    },
    async stop() {
      await system.carrier.turn({ lost });
      await worker.start();
    },
  };
}

/** The worker dies when the mail server has taken an email and has not answered, or after some seconds. */
function workerDiesEmailing({ worker, system: { mail } }: Town): Fault {
  const name = 'worker_killed_emailing';
  return {
    async start() {
      await mail.plan({ to: '*', hang: true, name });
      const isTaken = async () => (await mail.underWay()).hanging > 0;
      await waitFor('an email is taken', isTaken, momentWithinMs).catch(() => undefined);
      await worker.kill();
      await mail.forget(name);
    },
    stop: () => worker.start(),
  };
}

/** The media process dies while it holds a call, or after some seconds. */
function mediaDiesTalking(town: Town): Fault {
  return {
    start: () =>
      withDatabase(town, async (client) => {
        await momentIn(client, talking);
        await town.media.kill();
      }),
    stop: () => town.media.start(),
  };
}

/** The api dies in the instant after it has committed something, before whatever it would do next. */
function apiDiesCommitting(town: Town): Fault {
  return {
    start: () =>
      withDatabase(town, async (client) => {
        const { rows } = await client.query<{ count: number }>(askedFor);
        const more = `select 1 from (${askedFor}) now where count > ${rows[0]?.count}`;
        await momentIn(client, more);
        await town.api.kill();
      }),
    stop: () => town.api.start(),
  };
}

/** The relay's connections alone are broken, again and again: in the middle of what it does. */
function relayCutOff(town: Town): Fault {
  const stopping = new AbortController();
  let cutting: Promise<void> | undefined;
  return {
    async start() {
      cutting = withDatabase(town, async (client) => {
        while (!stopping.signal.aborted) {
          await momentIn(client, relaying, stopping.signal);
          await client.query(cutOff);
        }
      });
    },
    async stop() {
      stopping.abort();
      await cutting;
    },
  };
}

/** Looks without a pause: what is waited for lasts some milliseconds. */
async function momentIn(client: pg.Client, sql: string, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + momentWithinMs;
  while (Date.now() < until && signal?.aborted !== true) {
    if (((await client.query(sql)).rowCount ?? 0) > 0) return;
  }
}

async function withDatabase(town: Town, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: town.postgres.superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

type CarrierKnobs = Partial<KnobValues>;
type ModelKnobs = Partial<
  Record<'latencyMs' | 'failRate' | 'failStatus' | 'retryAfterSeconds' | 'followUpRate', number>
>;

const carrierWeathers: Partial<Record<Weather['name'], { bad: CarrierKnobs; good: CarrierKnobs }>> = {
  carrier_slow: { bad: { latencyMs: 600 }, good: { latencyMs: 0 } },
  carrier_busy: { bad: { busy: { rate: 0.4, retryAfterSeconds: 1 } }, good: { busy: null } },
  carrier_unauthorized: { bad: { unauthorized: true }, good: { unauthorized: false } },
  carrier_lists_late: { bad: { listLagMs: 3_000 }, good: { listLagMs: 0 } },
  carrier_hangs_up: { bad: { dropConnectionAfterAccept: 0.4 }, good: { dropConnectionAfterAccept: false } },
  carrier_undelivering: { bad: { failing: { code: 30006, rate: 0.4 } }, good: { failing: null } },
  callbacks_lost: { bad: { lost: 0.4 }, good: { lost: false } },
  callbacks_doubled: { bad: { doubled: 0.5 }, good: { doubled: false } },
  callbacks_late: { bad: { late: [0, 1_500] }, good: { late: [0, 0] } },
  callbacks_reversed: { bad: { outOfOrder: 0.5 }, good: { outOfOrder: false } },
};
const modelWeathers: Partial<Record<Weather['name'], { bad: ModelKnobs; good: ModelKnobs }>> = {
  model_slow: { bad: { latencyMs: 700 }, good: { latencyMs: 0 } },
  model_unauthorized: { bad: { failRate: 1, failStatus: 401 }, good: { failRate: 0, failStatus: 503 } },
  model_schedules_follow_ups: { bad: { followUpRate: 1 }, good: { followUpRate: 0 } },
  model_failing: { bad: { failRate: 0.5, failStatus: 503 }, good: { failRate: 0 } },
};

/** The reports concern no address, because an opt-out would end all further emails of the storm to it. */
const mailWeathers: Partial<Record<Weather['name'], Omit<Mishap, 'to' | 'name'>[]>> = {
  mail_hangs: [
    { at: 'RCPT', hang: true, chance: 0.2 },
    { hang: true, chance: 0.3 },
  ],
  mail_hangs_up: [{ hangUp: true, chance: 0.4 }],
  mail_refuses: [
    { at: 'RCPT', reply: 450, text: '4.2.0 Greylisted', chance: 0.3 },
    { at: 'RCPT', reply: 550, text: '5.7.1 Refused', chance: 0.1 },
    { at: 'RCPT', reply: 554, text: '5.7.1 Relay access denied', chance: 0.1 },
    { reply: 452, text: '4.3.1 Full', chance: 0.2 },
  ],
  mail_unauthorized: [{ at: 'MAIL', reply: 530, text: '5.7.0 Authentication required', chance: true }],
  mail_reports_late: [{ bounce: { afterMs: 1_500, status: '5.7.1', times: 2 }, chance: 0.6 }],
};

/** Members of whom a machine answers. */
const automata = persons / 2;

export function weatherOf(town: Town, name: Weather['name']): Fault {
  const { system } = town;
  if (name === 'members_answer_automatically') return automaticAnswers(town);
  if (name === 'database_connections_silent') return silentConnections(town);
  const carrier = carrierWeathers[name];
  if (carrier !== undefined) {
    return { start: () => system.carrier.turn(carrier.bad), stop: () => system.carrier.turn(carrier.good) };
  }
  const mishaps = mailWeathers[name];
  if (mishaps !== undefined) return badMail(town, name, mishaps);
  const turn = (knobs: ModelKnobs | undefined) => ask<void>(system.model.url, 'POST', '/knobs', knobs ?? {});
  return { start: () => turn(modelWeathers[name]?.bad), stop: () => turn(modelWeathers[name]?.good) };
}

function badMail({ system: { mail } }: Town, name: string, mishaps: Omit<Mishap, 'to' | 'name'>[]): Fault {
  return {
    async start() {
      for (const fault of mishaps) await mail.plan({ to: '*', name, ...fault });
    },
    stop: () => mail.forget(name),
  };
}

/** Two machines in one chat: each message of the agent is answered, which the agent answers in turn. */
function automaticAnswers({ system, people }: Town): Fault {
  const turn = async (autoReply: string | null) => {
    for (const { phone } of people.slice(0, automata))
      await system.carrier.turn({ handset: phone, autoReply });
  };
  return { start: () => turn(absenceNotice), stop: () => turn(null) };
}

/** Connections to the database of that moment answer no more and do not end, as behind a gateway that forgot them. */
function silentConnections({ databaseLine }: Town): Fault {
  return {
    async start() {
      databaseLine.fallSilent();
      databaseLine.speak();
    },
    async stop() {},
  };
}

/** Which callbacks and answers are hit repeats with the seed, as far as they come in the same order. */
export async function seedWeather({ system }: Town, seed: number): Promise<void> {
  await ask(system.carrier.url, 'POST', '/simulator/knobs', { seed });
  await ask(system.model.url, 'POST', '/knobs', { seed });
  await ask(system.mail.url, 'PUT', '/seed', { seed });
}

/** Every process runs and is ready; what an outage could not bring back is brought back. */
export async function heal(town: Town): Promise<void> {
  await waitFor('the town is whole', async () => {
    await Promise.all([town.api.start(), town.worker.start(), town.media.start()]);
    return true;
  });
}
