import type { Context } from 'koa';
import type { RequestSource } from '../../domain/kernel/audit/record-audit.js';
import { addressName } from './address-name.js';

/** Where a request came from, for the audit log. */
export function requestSource({
  ip,
  headers,
  state,
}: Pick<Context, 'ip' | 'headers' | 'state'>): RequestSource {
  return { address: addressName(ip), userAgent: headers['user-agent'], requestId: state.requestId };
}
