import { Forbidden } from '../../../domain/lib/errors.js';
import { callerOf } from './caller.js';
import type { Endpoint } from './endpoint.js';

/** Records what a known caller may not do. The answer neither waits for it nor fails with it. */
export function recordDenied(
  { route, server }: Pick<Endpoint, 'route' | 'server'>,
  identified: object | undefined,
  error: unknown,
): void {
  if (!(error instanceof Forbidden)) return;
  const caller = callerOf(identified ?? {});
  if (caller === undefined) return;
  const { db, clock } = server.context;
  // Scopes and permissions are codes; the others are words for people.
  const lacked = /^[a-z_]+:[a-z_]+$/.test(error.missing) ? [error.missing] : [];
  const names = [route.operationId, error.code, ...lacked];
  server.denied.note({ db, now: clock.now() }, caller, names).catch(() => {});
}
