import { createHash } from 'node:crypto';
import type { Database, OuterTx } from '../../../db/database.js';
import {
  deleteIdempotencyKey,
  findIdempotencyKey,
  type IdempotencyKeyRow,
  insertIdempotencyKey,
  tryLockIdempotencyKey,
} from '../../../db/idempotency-keys.js';
import { Conflict, InProgress, Unprocessable } from '../../lib/errors.js';
import type { ServiceContext } from '../context.js';
import { isOld } from './key-age.js';

/** What is to be done once, however often it is asked for. */
export interface OnceRequest {
  /** The caller's own name for it. */
  key: string;
  /** The workspace it is done in; null where it is an account's business. */
  workspaceId: number | null;
  /** The credential it is done with: what one was answered, another does not learn. */
  credential: { kind: string; id: number };
  operation: string;
  /** What it is done to, such as the path of a request. */
  target: string;
  /** A digest of all else that was asked, by the key: of use to nobody who does not have that. */
  fingerprint: Buffer;
  /** False where the answer holds a secret. */
  keepAnswer: boolean;
  /** What the caller is permitted now. */
  grants: readonly string[];
}

/** What is answered, as it is stored and sent. */
export interface Answer {
  status: number;
  body: string;
  resourceId: number | null;
}

/**
 * Does the work and notes its answer in one transaction, or finds that it was done in the last 24 hours and repeats
 * the answer. The work may use nothing but the database it is given, and must wait for nobody else. When it throws,
 * nothing is noted, and the next attempt does it.
 *
 * @throws InProgress `idempotency_key_in_use` while another does it, Unprocessable `idempotency_key_reused` when
 *   something else was asked before, Conflict `idempotency_answer_not_kept` when it was done and the answer
 *   is a secret, or of what was deleted since, or was given to permissions that the caller lost
 */
export async function performOnce(
  { db, clock }: ServiceContext,
  request: OnceRequest,
  work: (within: Database) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const digest = digestOf(request);
  return db.atomically(request.workspaceId, async (within, tx) => {
    if (!(await tryLockIdempotencyKey(tx, digest))) {
      throw new InProgress('idempotency_key_in_use', 'A request with this Idempotency-Key is under way.');
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

/** The lock is taken by an earlier statement, so that this one sees what its last holder committed. */
async function findDone(tx: OuterTx, digest: Buffer, now: Date): Promise<IdempotencyKeyRow | undefined> {
  const found = await findIdempotencyKey(tx, digest);
  if (found === undefined || !isOld(found.createdAt, now)) return found;
  await deleteIdempotencyKey(tx, digest);
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
      'This was done, and answered with permissions that the caller has lost since.',
    );
  }
  if (done.answer === null) {
    const made = done.resourceId === null ? '' : ` What it made has the id ${done.resourceId}.`;
    throw new Conflict(
      'idempotency_answer_not_kept',
      `The request was carried out before; its answer is not kept: it held a secret, or what it told of was deleted.${made}`,
    );
  }
  return { status: done.status, body: done.answer, resourceId: done.resourceId };
}

function digestOf({ workspaceId, credential, operation, target, key }: OnceRequest): Buffer {
  const named = [workspaceId, credential.kind, credential.id, operation, target, key];
  return createHash('sha256').update(JSON.stringify(named)).digest();
}
