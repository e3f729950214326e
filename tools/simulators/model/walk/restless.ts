import { type Answer, type CompletionRequest, call } from '../protocol.js';

/**
 * Imitates a model that schedules a follow-up at the beginning of every turn, if the tool is offered. The next answer
 * in the turn, after the tool's result, is the usual one.
 */
export function scheduleAnother({ messages, tools }: CompletionRequest): Answer | undefined {
  const mayFollowUp = tools.some(({ name }) => name === 'schedule_follow_up');
  if (!mayFollowUp || messages.at(-1)?.role === 'tool') return undefined;
  return call('schedule_follow_up', { after: 'PT1S', instructions: 'Ask "Are you still there?"' });
}
