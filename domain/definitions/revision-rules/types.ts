import type { AfterCall } from '../task-tree/task-types.js';

/** An ability as sent in a request. */
export interface RevisionAbility {
  abilityType: string;
  config?: Record<string, unknown> | undefined;
  enabled?: boolean | undefined;
  celCondition?: string | null | undefined;
}

/** A task as sent in a request, with its children in order. */
export interface RevisionTask {
  uuid?: string | undefined;
  name: string;
  taskType: string;
  prompt?: string | null | undefined;
  shortPrompt?: string | null | undefined;
  choicePrompt?: string | null | undefined;
  description?: string | null | undefined;
  configuration?: Record<string, unknown> | undefined;
  celGuard?: string | null | undefined;
  celCondition?: string | null | undefined;
  afterCall?: AfterCall | null | undefined;
  realtimeModelConfig?: Record<string, unknown> | null | undefined;
  autoNext?: boolean | undefined;
  required?: boolean | undefined;
  abilities?: readonly RevisionAbility[] | undefined;
  children?: readonly RevisionTask[] | undefined;
}
