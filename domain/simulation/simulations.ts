import { ConnectionsBusy, FairSemaphore } from '../../db/database.js';
import type { AgentBudgets } from '../kernel/agent-budgets.js';
import { Unavailable } from '../lib/errors.js';
import type { AskModel } from './model.js';

interface SimulationsOptions {
  agentBudgets: AgentBudgets;
  /** Absent if no model is configured. */
  askModel?: AskModel | undefined;
}

const waiting = { maxWaiting: 3, timeoutMs: 10_000 };

/** What simulations of this process share: how many run at once, and the model that they may ask. */
export class Simulations {
  readonly agentBudgets: AgentBudgets;
  readonly askModel: AskModel | undefined;
  readonly #scripted = new FairSemaphore({ size: 2, maxPerHolder: 1, ...waiting });
  /** They mostly wait for the model. */
  readonly #withModel = new FairSemaphore({ size: 4, maxPerHolder: 1, ...waiting });

  constructor({ agentBudgets, askModel }: SimulationsOptions) {
    this.agentBudgets = agentBudgets;
    this.askModel = askModel;
  }

  /** Waits until the workspace may simulate, and does so. @throws ShareExceeded, Unavailable `too_many_simulations` */
  async run<T>(kind: 'scripted' | 'withModel', workspaceId: number, simulate: () => Promise<T>): Promise<T> {
    const turns = kind === 'scripted' ? this.#scripted : this.#withModel;
    const end = await turns.acquire([String(workspaceId)]).catch((error: unknown) => {
      if (!(error instanceof ConnectionsBusy)) throw error;
      throw new Unavailable('Too many simulations are in progress.', 5, 'too_many_simulations');
    });
    return simulate().finally(end);
  }
}
