import { Unavailable } from '../../../../domain/lib/errors.js';
import { publicAccess } from '../../../http/access.js';
import { defineRoute } from '../../../http/define-route.js';
import { Probe } from './probe.js';
import { LiveResponse, ReadyResponse } from './schemas.js';

const tag = 'Health';

const getLiveness = defineRoute({
  operationId: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  tag,
  summary: 'Whether the process runs',
  access: publicAccess(),
  response: { status: 200, schema: LiveResponse },
  handler: async () => ({ status: 'live' as const }),
});

const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  tag,
  summary: 'Whether requests can be served',
  description:
    'Needs the database. Whether Temporal can be reached is told, but not needed: while it is away requests are accepted and wait for it. Looks once a second at most.',
  access: publicAccess(),
  response: { status: 200, schema: ReadyResponse },
  errors: { 503: 'The database cannot be reached.' },
  handler: async ({ context, runs }) => {
    const [database, temporal] = await Promise.all([
      probeOf(context.db, (db) => db.ping()).answers(),
      probeOf(runs, (client) => client.isReachable()).answers(),
    ]);
    if (!database) throw new Unavailable('The database cannot be reached.', 5, 'database_unavailable');
    return {
      status: 'ready' as const,
      database: 'reachable' as const,
      temporal: temporal ? ('reachable' as const) : ('unreachable' as const),
    };
  },
});

const probes = new WeakMap<object, Probe>();

/** One for each thing that is looked at, whoever asks. */
function probeOf<Thing extends object>(thing: Thing, look: (thing: Thing) => Promise<boolean>): Probe {
  let probe = probes.get(thing);
  if (probe === undefined) {
    probe = new Probe(() => look(thing));
    probes.set(thing, probe);
  }
  return probe;
}

export const healthRoutes = [getLiveness, getReadiness];
