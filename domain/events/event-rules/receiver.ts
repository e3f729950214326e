import { isOneHostTooMany, webhookEndpointAt } from '../../../db/events/webhook-endpoints.js';
import type { Tx } from '../../../db/tx.js';
import type { ErrorCode } from '../../lib/error-codes.js';
import { Conflict, InvalidInput } from '../../lib/errors.js';

/** A code, and a sentence that does not quote the address. */
type ReceiverProblem = { code: ErrorCode<'invalid'>; detail: string };

/** Checks whether the service may send to an address. Implemented by the provider that sends. */
export interface ReceiverAddresses {
  /** Resolves to the problem, if there is one. Makes a DNS query, with a timeout of some seconds. */
  check(url: string): Promise<ReceiverProblem | undefined>;
}

/** What `checkReceiver` returns: a URL for events, and the problem with it, if any. */
export interface Receiver {
  /** Normalized, so that the same receiver has one row. */
  url: string;
  problem?: ReceiverProblem | undefined;
}

const maxUrlLength = 2_048;

/** Takes seconds: call it before the transaction that stores the URL (decision 55). */
export async function checkReceiver(addresses: ReceiverAddresses, given: string): Promise<Receiver> {
  const problem = await addresses.check(given);
  if (problem !== undefined) return { url: given, problem };
  if (given.includes('#')) return unusable(given, 'The address must not contain a fragment.');
  const url = new URL(given).href;
  return url.length > maxUrlLength
    ? unusable(given, `The address must not have more than ${maxUrlLength} characters.`)
    : { url };
}

/** Returns the URL. @throws InvalidInput with the code of the problem, if there is one */
export function requireUsable({ url, problem }: Receiver): string {
  if (problem === undefined) return url;
  throw InvalidInput.field('/actionParams/webhookUrl', problem.detail, problem.code);
}

function unusable(url: string, detail: string): Receiver {
  return { url, problem: { code: 'invalid_url', detail } };
}

/** Maximum number of hosts that a workspace may add within a day and that have not answered it with 2xx. */
export const maxNewHosts = 200;
const dayMs = 24 * 3_600_000;

/**
 * Returns the id of the receiver at a URL, and creates it if needed.
 * @throws Conflict `too_many_new_receivers` if its host is new and one of too many without an answer
 */
export async function receiverAt(tx: Tx, url: string, now: Date): Promise<number> {
  const id = await webhookEndpointAt(tx, url, now);
  const bounds = { now, since: new Date(now.getTime() - dayMs), most: maxNewHosts };
  if (!(await isOneHostTooMany(tx, id, bounds))) return id;
  const detail = `A workspace can add at most ${maxNewHosts} hosts per day that have not yet answered it with 2xx.`;
  throw new Conflict('too_many_new_receivers', detail);
}
