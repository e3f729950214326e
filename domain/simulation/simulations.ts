import { admissionTerms } from '../kernel/admissions.js';
import type { AgentBudgets } from '../kernel/agent-budgets.js';
import { Admission } from '../lib/admission.js';
import type { AskModel } from './model.js';

interface SimulationsOptions {
  agentBudgets: AgentBudgets;
  /** Absent if no model is configured. */
  askModel?: AskModel | undefined;
}

/** What simulations of this process share: how many run at once, and the model that they may ask. */
export class Simulations {
  readonly agentBudgets: AgentBudgets;
  readonly askModel: AskModel | undefined;
  readonly #scripted = new Admission(admissionTerms.scriptedSimulations);
  readonly #withModel = new Admission(admissionTerms.simulationsWithModel);

  constructor({ agentBudgets, askModel }: SimulationsOptions) {
    this.agentBudgets = agentBudgets;
    this.askModel = askModel;
  }

  /** Waits until the workspace may simulate, and does so. @throws ShareExceeded, Unavailable `too_many_simulations` */
  async run<T>(kind: 'scripted' | 'withModel', workspace: number, simulate: () => Promise<T>): Promise<T> {
    const admission = kind === 'scripted' ? this.#scripted : this.#withModel;
    return admission.run({ workspace }, simulate);
  }
}
