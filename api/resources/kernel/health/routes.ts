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
  summary: 'Liveness: whether the process runs',
  access: publicAccess(),
  response: { status: 200, schema: LiveResponse },
  handler: async () => ({ status: 'live' as const }),
});

const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  tag,
  summary: 'Readiness: whether requests can be served',
  description:
    'Requires the database. Temporal is reported but not required: while it is unavailable, requests are accepted and their work waits. Dependencies are checked at most once a second.',
  access: publicAccess(),
  response: { status: 200, schema: ReadyResponse },
  errors: { 503: 'The database is unavailable.' },
  handler: async ({ context, services: { runs } }) => {
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

/** Returns the probe of a dependency, shared by all callers. */
function probeOf<Thing extends object>(thing: Thing, look: (thing: Thing) => Promise<boolean>): Probe {
  let probe = probes.get(thing);
  if (probe === undefined) {
    probe = new Probe(() => look(thing));
    probes.set(thing, probe);
  }
  return probe;
}

export const healthRoutes = [getLiveness, getReadiness];
