import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.js';
import {
  findIdempotencyKey,
  insertIdempotencyKey,
  removeIdempotencyKey,
  removeIdempotencyKeysUntil,
  tryLockIdempotencyKey,
} from '../../db/idempotency-keys.js';
import type { IdempotencyKeyRow } from '../../db/identity/models/idempotency-key.js';
import type { OuterTx } from '../../db/tx.js';
import { Conflict, InProgress, Unprocessable } from '../lib/errors.js';
import type { ServiceContext } from './context.js';
import { type Batch, batchOf } from './retention.js';

/** A request that is performed once, however often it is sent. */
interface OnceRequest {
  /** The idempotency key that the caller chose. */
  key: string;
  /** The workspace of the request; null if it concerns an account only. */
  workspaceId: number | null;
  /** The credential of the request. An answer is never replayed to another credential. */
  credential: { kind: string; id: number };
  operation: string;
  /** The target of the request, such as its path. */
  target: string;
  /** A digest of the rest of the request, keyed with the idempotency key and so useless without it. */
  fingerprint: Buffer;
  /** False if the answer contains a secret, which must not be stored. */
  keepAnswer: boolean;
  /** The current permissions of the caller. */
  grants: readonly string[];
}

export interface Answer {
  status: number;
  body: string;
  resourceId: number | null;
}

/**
 * Performs the work and stores its answer in one transaction, or replays the answer of the last 24 hours. The work may
 * use only the database that it is given and must not wait for anything else. If it throws, nothing is stored.
 * @throws InProgress `idempotency_key_in_use`, Unprocessable `idempotency_key_reused`, Conflict
 *   `idempotency_answer_not_kept`
 */
export async function performOnce(
  { db, clock }: ServiceContext,
  request: OnceRequest,
  work: (within: Database) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const digest = digestOf(request);
  return db.atomically(request.workspaceId, async (within, tx) => {
    if (!(await tryLockIdempotencyKey(tx, digest))) {
      throw new InProgress('idempotency_key_in_use', 'A request with this Idempotency-Key is in progress.');
    }
    const done = await findDone(tx, digest, clock.now());
    if (done !== undefined) return { ...repeat(done, request), replayed: true };

    const answer = await work(within);
    await insertIdempotencyKey(tx, {
      digest,
      operation: request.operation,
      fingerprint: request.fingerprint,
      status: answer.status,
      answer: request.keepAnswer ? answer.body : null,
      resourceId: answer.resourceId,
      grants: request.grants,
      createdAt: clock.now(),
    });
    return { ...answer, replayed: false };
  });
}

/** A statement after the one that takes the lock, so that it sees what the lock's previous holder committed. */
async function findDone(tx: OuterTx, digest: Buffer, now: Date): Promise<IdempotencyKeyRow | undefined> {
  const found = await findIdempotencyKey(tx, digest);
  if (found === undefined || found.createdAt > oldUntil(now)) return found;
  await removeIdempotencyKey(tx, digest);
  return undefined;
}

function repeat(done: IdempotencyKeyRow, { fingerprint, grants }: OnceRequest): Answer {
  if (!done.fingerprint.equals(fingerprint)) {
    throw new Unprocessable(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new key for each.',
    );
  }
  if (done.grants?.some((permission) => !grants.includes(permission))) {
    throw new Conflict(
      'idempotency_answer_not_kept',
      'The request was performed, but the caller has since lost permissions that the response needs.',
    );
  }
  if (done.answer === null) {
    const made = done.resourceId === null ? '' : ` What it made has the id ${done.resourceId}.`;
    throw new Conflict(
      'idempotency_answer_not_kept',
      `The request was performed before. Its response is not stored, because it contained a secret or its subject was deleted.${made}`,
    );
  }
  return { status: done.status, body: done.answer, resourceId: done.resourceId };
}

function digestOf({ workspaceId, credential, operation, target, key }: OnceRequest): Buffer {
  const named = [workspaceId, credential.kind, credential.id, operation, target, key];
  return createHash('sha256').update(JSON.stringify(named)).digest();
}

const batchSize = 1_000;

/** Deletes a batch of the old keys of a workspace, or of accounts, with their answers. */
export async function forgetOldKeys(
  { db, clock }: ServiceContext,
  workspaceId: number | null,
): Promise<Batch> {
  const until = oldUntil(clock.now());
  const remove = () =>
    db.atomically(workspaceId, (_, tx) => removeIdempotencyKeysUntil(tx, until, batchSize));
  return batchOf(await remove(), batchSize);
}

/** Keys created up to this time are old: they have been kept for 24 hours. */
function oldUntil(now: Date): Date {
  return new Date(now.getTime() - 24 * 3_600_000);
}
