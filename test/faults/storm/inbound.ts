import { createHash } from 'node:crypto';
import { sign } from '../../../simulators/carrier/sign.js';
import type { Request } from './client.js';
import type { Operation } from './operations.js';
import type { Town } from './town.js';

/** What comes in through the carrier. */
export type Texting = Operation & { kind: 'text' | 'stop' | 'start' };

/** A text as the carrier posts it: with the same id however often, and in every run of a seed. */
export function inboundRequest(
  { apiUrl, system, workspace }: Town,
  seed: number,
  operation: Texting,
  from: string,
): { sid: string; request: Request } {
  const url = `${apiUrl}/api/v2/carrier-messages/inbound`;
  const sid = `SM${createHash('md5').update(`${seed} ${operation.index}`).digest('hex')}`;
  const form = {
    MessageSid: sid,
    From: from,
    To: workspace.number,
    Body: operation.kind === 'text' ? `s${operation.index} ${operation.says}` : operation.kind.toUpperCase(),
    NumMedia: '0',
  };
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Twilio-Signature': sign(system.carrier.credentials.authToken, url, form),
  };
  return { sid, request: { method: 'POST', url, headers, body: new URLSearchParams(form).toString() } };
}
