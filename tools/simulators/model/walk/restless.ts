import { type Answer, type CompletionRequest, call } from '../protocol.js';

/**
 * What a model does that leaves no conversation alone: in each turn it first schedules a follow-up, where it may. Its
 * second answer in the turn, to the tool's result, is the usual one.
 */
export function scheduleAnother({ messages, tools }: CompletionRequest): Answer | undefined {
  const mayFollowUp = tools.some(({ name }) => name === 'schedule_follow_up');
  if (!mayFollowUp || messages.at(-1)?.role === 'tool') return undefined;
  return call('schedule_follow_up', { after: 'PT1S', instructions: 'Ask "Are you still there?"' });
}
