import pg from 'pg';
import { vi } from 'vitest';
import type { Pipeline } from '../../../db/pool/pipeline.js';

type Query = (this: pg.Client, batch: Pipeline, ...rest: never[]) => void;

/** Lets the connection die at one message of this process, as a crash in that moment would. */
export interface DyingConnections {
  /** At the message `number`, from 1, counted from now: before the server sees it, or after it has carried it out. */
  dieAt(number: number, when: 'before' | 'after'): void;
  readonly sent: number;
  restore(): void;
}

export function dyingConnections(): DyingConnections {
  const original = pg.Client.prototype.query as unknown as Query;
  let at = 0;
  let moment: 'before' | 'after' = 'before';
  let sent = 0;
  const lose = (client: pg.Client) => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  spy.mockImplementation(function (this: pg.Client, batch: Pipeline, ...rest: never[]) {
    sent += 1;
    if (sent === at && moment === 'before') lose(this);
    if (sent === at && moment === 'after') {
      const { callback } = batch;
      batch.callback = () => {
        lose(this);
        callback(new Error('Connection terminated unexpectedly'), []);
      };
    }
    return original.call(this, batch, ...rest);
  } as never);
  return {
    dieAt(number, when) {
      at = number;
      moment = when;
      sent = 0;
    },
    get sent() {
      return sent;
    },
    restore: () => spy.mockRestore(),
  };
}
