import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.js';
import type { Asked } from '../agent/prepare-round.js';
import type { AgentBudgets } from '../kernel/agent-budgets.js';
import type { ModelCatalogue } from '../kernel/ai-models/model-catalogue.js';
import { Encryption } from '../lib/encryption.js';
import { InvalidInput } from '../lib/errors.js';
import { isTimezone } from '../lib/locales.js';
import type { Entry, Simulation } from './entries.js';
import { Deadline, maxModelAnswers, maxSimulationMs, maxWalkMs } from './limits.js';
import { AnswerNeeded, type AskModel, type SimulatedAnswer, scriptedModels } from './model.js';
import type { SimulationInput } from './script.js';
import { ScriptedClock } from './scripted-clock.js';
import { ScriptedPhone } from './scripted-phone.js';
import { type Setting, setStage } from './stage.js';
import { Walk } from './walk.js';

export interface SimulationContext {
  db: Database;
  agentBudgets?: AgentBudgets;
}

/** A model that answers where the script does not. */
export interface SimulatedModel {
  models: ModelCatalogue;
  ask: AskModel;
  /** Called with each answer before it is used. */
  onAnswer(asked: Asked, answer: SimulatedAnswer): Promise<void>;
}

export interface SimulateOptions {
  /** The workspace that the transaction counts for. */
  workspaceId: number | null;
  now: Date;
  model?: SimulatedModel;
  /** Called with each entry of a scripted walk as it comes. */
  onEntry?: (entry: Entry) => void;
}

/**
 * Walks through a definition in a transaction that is rolled back. With a model, each of its answers is awaited outside
 * of any transaction, and the walk is repeated with all answers so far.
 * @throws InvalidInput, Unavailable
 */
export async function simulate(
  context: SimulationContext,
  setting: Setting,
  input: SimulationInput,
  options: SimulateOptions,
): Promise<Simulation> {
  checkInput(input);
  const { model } = options;
  if (model === undefined) {
    return walkOnce(context, setting, input, { ...options, deadline: new Deadline(maxWalkMs) });
  }
  const deadline = new Deadline(maxSimulationMs);
  const answers: SimulatedAnswer[] = [];
  for (;;) {
    try {
      return await walkOnce(context, setting, input, { ...options, deadline, answers });
    } catch (ended) {
      if (!(ended instanceof AnswerNeeded)) throw ended;
      if (answers.length >= maxModelAnswers) {
        const message = `The walk needs more than ${maxModelAnswers} answers of the model.`;
        throw new InvalidInput('simulation_too_large', message);
      }
      deadline.check();
      const answer = await model.ask(ended.asked, AbortSignal.timeout(Math.ceil(deadline.leftMs)));
      await model.onAnswer(ended.asked, answer);
      answers.push(answer);
    }
  }
}

function walkOnce(
  { db, agentBudgets }: SimulationContext,
  setting: Setting,
  input: SimulationInput,
  options: SimulateOptions & { deadline: Deadline; answers?: readonly SimulatedAnswer[] },
): Promise<Simulation> {
  const { workspaceId, now, model, answers = [], deadline, onEntry } = options;
  const clock = new ScriptedClock(input.startsAt === undefined ? now : new Date(input.startsAt));
  let used = 0;
  const answerOf = async (asked: Asked): Promise<SimulatedAnswer> => {
    const answer = answers[used];
    if (answer === undefined) throw new AnswerNeeded(asked);
    used += 1;
    return answer;
  };
  return db.rolledBack(workspaceId, async (within) => {
    const encryption = new Encryption(randomBytes(32).toString('hex'));
    deadline.check();
    const stage = await setStage(within, setting, input, { encryption, now: clock.now() });
    deadline.check();
    const phone = new ScriptedPhone();
    const context = {
      db: within,
      outreach: phone.outreach,
      clock,
      encryption,
      models: model?.models ?? scriptedModels,
      ...(agentBudgets === undefined ? {} : { agentBudgets }),
    };
    const walk = new Walk(context, {
      stage,
      phone,
      input,
      timezone: input.timezone ?? setting.workspace.timezone,
      clock,
      deadline,
      ...(model === undefined ? {} : { model: answerOf }),
      ...(onEntry === undefined ? {} : { onEntry }),
    });
    return walk.run();
  });
}

const [earliestStart, latestStart] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'].map(Date.parse);

function checkInput({ timezone, startsAt }: SimulationInput): void {
  const start = startsAt === undefined ? undefined : Date.parse(startsAt);
  if (start !== undefined && !(start >= (earliestStart ?? 0) && start < (latestStart ?? 0))) {
    throw InvalidInput.field('/startsAt', 'must be a time between 2000 and 2100');
  }
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw InvalidInput.field('/timezone', 'must be a time zone such as Europe/Paris');
  }
}
