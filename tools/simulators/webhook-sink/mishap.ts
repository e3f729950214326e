import { type Chance, isChance } from '../support/chance.js';
import { isObject, objectWith } from '../support/read-json.js';
import { HttpFailure } from '../support/serve.js';

/** The kinds of faulty answers to a webhook. */
const ways = ['status', 'redirect', 'hang', 'reset', 'garbage', 'huge', 'drip'] as const;

/** A fault in answering webhooks. */
export interface Mishap {
  answer: (typeof ways)[number];
  /** How often. */
  chance: Chance;
  /** The status code; by default 503 for `status`, 307 for `redirect`, 200 for `huge` and `drip`. */
  status?: number;
  /** The value of the `Retry-After` header. */
  retryAfter?: string;
  /** The target of a redirect; by default a separate receiver of this sink. */
  location?: string;
  /** The size of a `huge` answer. */
  bytes?: number;
  /** Milliseconds between two bytes of a dripping answer, which never ends. */
  everyMs?: number;
}

const fields = ['answer', 'chance', 'status', 'retryAfter', 'location', 'bytes', 'everyMs'];

/** @throws HttpFailure 400 */
export function readMishap(value: unknown): Mishap {
  const { answer, chance = true, retryAfter, ...rest } = objectWith(value, fields);
  const mishap = {
    ...rest,
    answer,
    chance,
    ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
  };
  if (!isMishap(mishap)) {
    throw new HttpFailure(400, {
      error: `answer has to be one of ${ways.join(', ')}, chance true or a number, status a final one, the rest as described.`,
    });
  }
  return mishap;
}

function isMishap(value: unknown): value is Mishap {
  if (!isObject(value)) return false;
  const { answer, chance, status, location, bytes, everyMs } = value;
  return (
    ways.some((way) => way === answer) &&
    isChance(chance) &&
    (status === undefined || isWithin(status, 200, 599)) &&
    (location === undefined || typeof location === 'string') &&
    (bytes === undefined || isWithin(bytes, 1, 1_000_000_000)) &&
    (everyMs === undefined || isWithin(everyMs, 1, 60_000))
  );
}

export function isWithin(value: unknown, from: number, to: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
}
