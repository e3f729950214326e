import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Conflict, InProgress, Unavailable } from '../../domain/lib/errors.js';
import { concealErrors } from '../../runtime/worker/conceal-errors.js';

const secret = 'somebody@example.com';

/** Fails an activity with an error and returns what its history and the log would hold. */
async function fail(
  error: unknown,
  info: Partial<Info> = {},
): Promise<{ failure: ApplicationFailure; log: string }> {
  let log = '';
  const write = (line: string) => {
    log += line;
  };
  const interceptors = [concealErrors(pino({}, { write }))];
  const environment = new MockActivityEnvironment(info, { interceptors, logger: new DefaultLogger('ERROR') });
  const failure = await environment.run(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
  return { failure: failure as ApplicationFailure, log };
}

function everything(failure: ApplicationFailure): string {
  const { message, stack, type, cause } = failure;
  return [message, stack, type, JSON.stringify(failure), String(cause)].join('\n');
}

describe('concealErrors', () => {
  it('keeps the text of a driver error out of history and log, and leaves a code and a request id', async () => {
    const error = Object.assign(new Error(`duplicate key value (email)=(${secret})`), {
      code: '23505',
      detail: `Key (email)=(${secret}) already exists.`,
    });

    const { failure, log } = await fail(error);

    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: '23505', nonRetryable: false });
    expect(failure.message).toMatch(/^23505 \(request [0-9a-f-]{36}\)$/);
    expect(everything(failure)).not.toContain(secret);
    expect(log).not.toContain(secret);
    expect(log).toContain(/request ([0-9a-f-]{36})/.exec(failure.message)?.[1] ?? 'no id');
  });

  it('makes a definite error of the domain non-retryable, and a transient one retryable', async () => {
    const definite = await fail(new Conflict('assignment_not_active', `about ${secret}`));
    const passing = await fail(new Unavailable(`about ${secret}`));
    expect(definite.failure).toMatchObject({ type: 'assignment_not_active', nonRetryable: true });
    expect(passing.failure.nonRetryable).toBe(false);
    expect(everything(definite.failure) + everything(passing.failure)).not.toContain(secret);
  });

  it('makes an error with a retry time retryable', async () => {
    const { failure } = await fail(new InProgress('record_contended', 'Try again.'));
    expect(failure).toMatchObject({ type: 'record_contended', nonRetryable: false });
  });

  const coded = (codes: object) => Object.assign(new Error(), codes);
  const asked = { retryPolicy: { nonRetryableErrorTypes: ['step_failed'] } };
  it.each([
    ['a fault of ours', new TypeError('x is undefined'), 5, asked, 'step_failed'],
    ['a broken rule of the database', coded({ code: '23505' }), 9, asked, 'step_failed'],
    ['a wrapped one', coded({ nativeError: { code: '23505' } }), 5, asked, 'step_failed'],
    ['a fault at an earlier attempt', new TypeError('x is undefined'), 4, asked, 'TypeError'],
    ['a fault where nobody asks', new TypeError('x is undefined'), 5, {}, 'TypeError'],
    ['a lost connection', coded({ code: '08006' }), 50, asked, '08006'],
    ['a lost race', coded({ nativeError: { code: '40P01' }, code: '40P01' }), 50, asked, '40P01'],
    ['a time limit', coded({ code: '57014' }), 50, asked, '57014'],
    ['a refused connection', coded({ code: 'ECONNREFUSED' }), 50, asked, 'ECONNREFUSED'],
    ['what is away for a while', new Unavailable('away'), 50, asked, 'unavailable'],
  ])('reports %s by the type for its attempt', async (_, error, attempt, info, type) => {
    const { failure } = await fail(error, { ...info, attempt });
    expect(failure).toMatchObject({ type, nonRetryable: false });
    if (type === 'step_failed') expect(failure.message).not.toContain('step_failed');
  });

  it('conceals an error in the cause of a failure as well', async () => {
    const failure = ApplicationFailure.create({ message: 'busy', type: 'busy', cause: new Error(secret) });
    const concealed = await fail(failure);
    expect(everything(concealed.failure)).not.toContain(secret);
    expect(concealed.log).not.toContain(secret);
  });

  it('keeps an ApplicationFailure, without the file paths of this machine', async () => {
    const { failure } = await fail(ApplicationFailure.nonRetryable('the model refused', 'model_refused'));
    const kept = { message: 'the model refused', type: 'model_refused', nonRetryable: true };
    expect(failure).toMatchObject(kept);
    expect(failure.stack ?? '').not.toContain('/');
  });

  it('conceals a thrown value that is no error', async () => {
    const { failure } = await fail(`thrown text about ${secret}`);
    expect(failure).toMatchObject({ type: 'internal_error' });
    expect(everything(failure)).not.toContain(secret);
  });
});
