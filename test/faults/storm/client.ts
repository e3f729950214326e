import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt, Entry } from './ledger.js';

const answerWithinMs = 30_000;
const retryMs = 250;
const patienceMs = 120_000;

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** What asking twice comes to: `same`, the same thing; `another`, each time a thing of its own. */
export type Repeating = 'same' | 'another';

/**
 * Asks until it is accepted or refused, or two minutes are over, and writes every attempt down. `make` gets the
 * attempt's marker: one for all of them where asking twice is asking for the same thing.
 */
export async function askUntilAnswered(
  entry: Entry,
  make: (marker: string) => Request,
  repeating: Repeating,
): Promise<Answer | undefined> {
  const name = `s${entry.operation.index}`;
  const until = Date.now() + patienceMs;
  for (let number = 1; Date.now() < until; ) {
    const marker = repeating === 'same' ? name : `${name}.${number}`;
    const startedAt = Date.now();
    const result = await send(make(marker));
    if (result !== 'unsent') {
      number += 1;
      const status = typeof result === 'object' ? result.status : undefined;
      const attempt = { marker, outcome: outcomeOf(status), status, startedAt, endedAt: Date.now() };
      entry.attempts.push(attempt);
      if (attempt.outcome !== 'unknown' && typeof result === 'object') return result;
    }
    await delay(retryMs);
  }
  return undefined;
}

/** `unsent` where nobody can have read the request, or it was turned away at the door; `unanswered` else. */
async function send({ url, ...request }: Request): Promise<Answer | 'unsent' | 'unanswered'> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(answerWithinMs) });
    const text = await response.text();
    if (response.status === 429) return 'unsent';
    const isJson = /[/+]json/.test(response.headers.get('Content-Type') ?? '');
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return isUnderWay(response.status, body) ? 'unanswered' : { status: response.status, body };
  } catch (error) {
    return wasNeverSent(error) ? 'unsent' : 'unanswered';
  }
}

/** The attempt before with the same key has not ended: what comes of it is not known yet. */
function isUnderWay(status: number, body: unknown): boolean {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return status === 409 && code === 'idempotency_key_in_use';
}

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/** A 5xx does not say whether the request took effect: the commit may have been the last thing that worked. */
function outcomeOf(status: number | undefined): Attempt['outcome'] {
  if (status === undefined || status >= 500) return 'unknown';
  return status < 300 ? 'accepted' : 'refused';
}
