import { InvalidInput } from '../../lib/errors.js';

/** What is wrong with an address: a code, and a sentence that does not quote it. */
export interface ReceiverProblem {
  code: string;
  detail: string;
}

/** Whether the service would send to an address. Implemented by the provider that sends. */
export interface ReceiverAddresses {
  /** Resolves to why not. Asks the name service, within some seconds. */
  check(url: string): Promise<ReceiverProblem | undefined>;
}

/** A URL that somebody wants events sent to, and why they cannot be. */
export interface Receiver {
  /** In its one spelling, so that the same receiver is the same row. */
  url: string;
  problem?: ReceiverProblem | undefined;
}

const longestUrl = 2_048;

/**
 * Looks at the URL of a receiver. This may take seconds, so it comes before the transaction that stores it: see
 * docs/decisions/0054-receivers-are-looked-at-first.md.
 */
export async function lookAtReceiver(addresses: ReceiverAddresses, given: string): Promise<Receiver> {
  const problem = await addresses.check(given);
  if (problem !== undefined) return { url: given, problem };
  if (given.includes('#')) return unusable(given, 'The address must not contain a fragment.');
  const url = new URL(given).href;
  return url.length > longestUrl
    ? unusable(given, `The address must not have more than ${longestUrl} characters.`)
    : { url };
}

/** The URL to send to. @throws InvalidInput naming the field, with the code of what is wrong */
export function requireUsable({ url, problem }: Receiver): string {
  if (problem === undefined) return url;
  throw InvalidInput.field('/actionParams/webhookUrl', problem.detail, problem.code);
}

function unusable(url: string, detail: string): Receiver {
  return { url, problem: { code: 'invalid_url', detail } };
}
