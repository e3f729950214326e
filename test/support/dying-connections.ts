import pg from 'pg';
import { vi } from 'vitest';

type Query = (this: pg.Client, config: unknown, answer: (error: unknown, result?: unknown) => void) => void;

/** Lets the connection die at one statement of this process, as a crash in that moment would. */
export interface DyingConnections {
  /** At the statement `number`, from 1, counted from now: before the server sees it, or after it has carried it out. */
  dieAt(number: number, when: 'before' | 'after'): void;
  /** Statements sent since `dieAt`. */
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
  spy.mockImplementation(function (this: pg.Client, config: unknown, answer: never) {
    sent += 1;
    if (sent !== at) return original.call(this, config, answer);
    if (moment === 'before') {
      lose(this);
      return original.call(this, config, answer);
    }
    return original.call(this, config, () => {
      lose(this);
      (answer as Parameters<Query>[1])(new Error('Connection terminated unexpectedly'));
    });
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
