import type { ModelMessage } from '../../providers/model/chat-model.js';
import type { Asking } from './work.js';

/** What the model is sent: the history, with what is being said in its place, and what it is told for this answer. */
export function spokenMessages(
  history: readonly ModelMessage[],
  { saying, notes, withoutOpenCalls }: Pick<Asking, 'saying' | 'notes' | 'withoutOpenCalls'>,
): ModelMessage[] {
  const end = lastCallsAt(history);
  const said = saying.map((text): ModelMessage => ({ role: 'assistant', content: text.trim() }));
  return [
    ...history.slice(0, end),
    // It was said before the tools that follow were called.
    ...said,
    ...(withoutOpenCalls ? [] : history.slice(end)),
    ...notes.map((content): ModelMessage => ({ role: 'system', content })),
  ];
}

/** Where the calls of tools begin that the history ends with; its end if it ends otherwise. */
function lastCallsAt(history: readonly ModelMessage[]): number {
  let end = history.length;
  while (history[end - 1]?.role === 'tool') end -= 1;
  const before = history[end - 1];
  const isCalls = before?.role === 'assistant' && (before.toolCalls?.length ?? 0) > 0;
  return isCalls ? end - 1 : history.length;
}
