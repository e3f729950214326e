import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Pipeline } from '../../../db/pool/pipeline.js';
import { PipelinedConnection, type Preamble } from '../../../db/pool/pipelined-connection.js';

const update = { text: 'update members set name = null', values: [] };
const single: Preamble = { sent: 'always', statements: [] };

/** A connection to a server that answers every batch as `answer` does. */
function conversing(answer: (batch: Pipeline) => void, opening = single): PipelinedConnection {
  const client = { query: answer, getTransactionStatus: () => 'I' };
  return new PipelinedConnection(client as unknown as pg.ClientBase, opening);
}

function fatal(): pg.DatabaseError {
  const error = new pg.DatabaseError('terminating connection', 0, 'error');
  return Object.assign(error, { severity: 'FATAL', code: '57P01' });
}

describe('PipelinedConnection with a single statement', () => {
  it('resolves once the batch is committed, with the result of the statement', async () => {
    const conversation = conversing((batch) => {
      batch.handleCommandComplete({ text: 'UPDATE 1' });
      batch.handleReadyForQuery();
    });
    expect(await conversation.execute(update)).toMatchObject({ command: 'UPDATE', rowCount: 1 });
    expect(conversation.close()).toBe(true);
  });

  it.each([
    ['the connection is lost', new Error('Connection terminated unexpectedly'), { code: '08006' }],
    ['the server ends the connection', fatal(), { code: '57P01' }],
  ])('rejects when %s before the commit, and the connection is not reused', async (_what, error, told) => {
    const conversation = conversing((batch) => {
      batch.handleCommandComplete({ text: 'UPDATE 1' });
      batch.handleError(error);
    });
    await expect(conversation.execute(update)).rejects.toMatchObject(told);
    expect(conversation.close()).toBe(false);
  });

  it('rejects once when the driver reports a read timeout twice', async () => {
    const conversation = conversing((batch) => {
      const error = new Error('Query read timeout');
      batch.callback(error);
      batch.handleError(error);
    });
    await expect(conversation.execute(update)).rejects.toMatchObject({ code: '08006' });
    expect(conversation.close()).toBe(false);
  });
});
