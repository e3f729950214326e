import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import { Unavailable } from '../../../../domain/lib/errors.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { OneOf } from '../../../http/schemas.js';

const LiveResponse = Type.Object({ status: OneOf(['live']) }, { $id: 'LiveResponse' });
const ReadyResponse = Type.Object(
  {
    status: OneOf(['ready']),
    database: OneOf(['reachable']),
    temporal: OneOf(['reachable', 'unreachable']),
  },
  { $id: 'ReadyResponse' },
);
const common = { method: 'GET', tag: 'Health', access: publicAccess() } as const;

const getLiveness = defineRoute({
  ...common,
  operationId: 'getLiveness',
  path: '/health/live',
  summary: 'Liveness: whether the process runs',
  response: { status: 200, schema: LiveResponse },
  handler: async () => ({ status: 'live' as const }),
});

const getReadiness = defineRoute({
  ...common,
  operationId: 'getReadiness',
  path: '/health/ready',
  summary: 'Readiness: whether requests can be served',
  description:
    'Requires the database. Temporal is reported but not required: while it is unavailable, requests are accepted and their work waits. Dependencies are checked at most once a second.',
  response: { status: 200, schema: ReadyResponse },
  errors: { 503: 'The database is unavailable.' },
  handler: async ({ context, services: { runs } }) => {
    const [database, temporal] = await Promise.all([
      responds(context.db, (db) => db.ping()),
      responds(runs, (client) => client.isReachable()),
    ]);
    if (!database) throw new Unavailable('The database cannot be reached.', 5, 'database_unavailable');
    return {
      status: 'ready' as const,
      database: 'reachable' as const,
      temporal: temporal ? ('reachable' as const) : ('unreachable' as const),
    };
  },
});

const keptMs = 1_000;
/** Longer than a check of Temporal takes: a check given up earlier would still be open when the process stops. */
const patienceMs = 3_000;
const answers = new WeakMap<object, Promise<boolean>>();

/** Whether a dependency responds in time, or did within the last second: it is asked once for all callers together. */
function responds<Topic extends object>(thing: Topic, look: (thing: Topic) => Promise<boolean>) {
  const known = answers.get(thing);
  if (known !== undefined) return known;
  const over = new AbortController();
  const silent = delay(patienceMs, false, { signal: over.signal }).catch(() => false);
  const answer = Promise.race([look(thing).catch(() => false), silent]).finally(() => {
    over.abort();
    setTimeout(() => answers.delete(thing), keptMs).unref();
  });
  answers.set(thing, answer);
  return answer;
}

export const healthRoutes = [getLiveness, getReadiness];
