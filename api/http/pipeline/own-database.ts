import type { ServiceContext } from '../../../domain/kernel/context.js';
import type { Route } from '../define-route.js';
import { callerOf } from './caller.js';

/**
 * Returns the context with a database that is limited to the caller's share of connections. It waits longer for a
 * connection if the route reads or writes a whole file.
 */
export function withOwnDatabase({ method, response, file }: Route, granted: unknown): unknown {
  const holder = callerOf(granted)?.owner;
  const isForCommand = method !== 'GET';
  const isPatient = response.stream !== undefined || file !== undefined;
  if (holder === undefined && !isForCommand && !isPatient) return granted;
  const terms = { ...(holder === undefined ? {} : { holder }), isForCommand, isPatient };
  const context = granted as ServiceContext;
  return { ...context, db: context.db.withTerms(terms) };
}
