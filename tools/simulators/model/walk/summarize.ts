import { isObject } from '../../support/read-json.js';
import { type Answer, call, type Message, type Tool } from '../protocol.js';
import { normalised } from './words.js';

/** Summarizes a chat by its first and last words, and gives it the offered labels whose names occur in it. */
export function summarize(messages: readonly Message[], tool: Tool): Answer {
  const said = linesOf(messages.findLast(({ role }) => role === 'user')?.text ?? '');
  const first = said.find(({ from }) => from === 'member') ?? said[0];
  const last = said.at(-1);
  const opening = String(first?.text ?? '');
  const summary = `${said.length} messages. First: ${opening} Last: ${String(last?.text ?? '')}`;
  const written = { title: opening.slice(0, 80), summary: summary.slice(0, 500) };
  const { properties } = tool.parameters;
  if (!isObject(properties) || !('labelIds' in properties)) return call(tool.name, written);
  const spoken = normalised(said.map(({ text }) => text).join(' '));
  const labels = linesOf(messages.find(({ role }) => role === 'system')?.text ?? '');
  const labelIds = labels.flatMap(({ id, name }) =>
    typeof name === 'string' && spoken.includes(normalised(name)) ? [id] : [],
  );
  return call(tool.name, { ...written, labelIds });
}

/** The lines of a text that are JSON objects. */
function linesOf(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
