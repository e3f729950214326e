import type { Asked } from '../agent/prepare-round.js';
import type { ModelAnswer } from '../agent/store-model-answer.js';
import { ModelCatalogue } from '../kernel/ai-models/model-catalogue.js';
import { Unavailable } from '../lib/errors.js';
import { maxCalls, maxTextLength, maxToolName, type ScriptStep } from './script.js';

export type SimulatedAnswer = ModelAnswer;

/** The model gave no answer. */
export class NoAnswer extends Unavailable {
  /** @param mayHaveCost whether the provider may charge for the call */
  constructor(
    retryAfterSeconds: number,
    readonly mayHaveCost: boolean,
  ) {
    super('The model did not answer.', retryAfterSeconds, 'model_unavailable');
  }
}

/** Asks a model outside of any transaction. @throws NoAnswer */
export type AskModel = (asked: Asked, signal: AbortSignal) => Promise<SimulatedAnswer>;

const unused = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, totalTokens: 0 };

/** The catalogue of a simulation whose script answers in place of a model. */
export const scriptedModels = new ModelCatalogue(
  { models: [{ id: 'script:chat:script', recommended: true }], voices: [] },
  ['script'],
);

export function scriptedAnswer(
  content: string | null,
  calls: readonly { name: string; arguments: Record<string, unknown> }[] = [],
): SimulatedAnswer {
  const toolCalls = calls.map((call, index) => ({
    id: `scripted_${index}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { content, toolCalls, usage: unused };
}

/** The step of a script that gives an answer of the model again, as far as a step has room for it. */
export function stepOf({ content, toolCalls }: SimulatedAnswer): ScriptStep {
  if (toolCalls.length === 0) return { agent: { say: (content ?? '').slice(0, maxTextLength) } };
  const calls = toolCalls
    .slice(0, maxCalls)
    .map((call) => ({ name: call.name.slice(0, maxToolName), arguments: argumentsOf(call.arguments) }));
  return { agent: { calls } };
}

/** A tool refuses what is no object, as it does one that lacks everything. */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Ends a walk whose next answer of the model is not known yet. */
export class AnswerNeeded {
  constructor(readonly asked: Asked) {}
}
