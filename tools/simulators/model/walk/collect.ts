import { type Answer, call, say, type Tool } from '../protocol.js';
import { coerce } from './coerce.js';
import { askedField, askFor, type Field, missingFields } from './fields.js';
import type { Turn } from './read-turn.js';
import { quotedSentence } from './speak.js';

/** The next step of gathering data: save what was answered, or ask for what is missing. Undefined when all is there. */
export function collect(turn: Turn, tool: Tool): Answer | undefined {
  const missing = missingFields(tool);
  const [first] = missing;
  if (first === undefined) return undefined;

  const asked = turn.lastSaid === undefined ? undefined : askedField(turn.lastSaid, missing);
  if (asked !== undefined && turn.heard.length > 0) {
    const value = lastUsable(turn.heard, asked);
    return value === undefined ? askAgain(asked) : call(tool.name, { [asked.slug]: value });
  }
  const refused = asked !== undefined && turn.done.some(({ name }) => name === tool.name);
  if (refused) return askAgain(asked);
  return say(withOpening(turn, askFor(first)));
}

/** Several messages may have come at once; the last one that fits is meant. */
function lastUsable(heard: string[], field: Field): unknown {
  return heard.map((text) => coerce(text, field.schema)).findLast((value) => value !== undefined);
}

function askAgain(field: Field): Answer {
  return say(`I could not use that. ${askFor(field)}`);
}

/** The prompt's own sentence comes before the first question, once. */
function withOpening(turn: Turn, question: string): string {
  const opening = turn.task && quotedSentence(turn.task.prompt);
  const said = opening === undefined || turn.said.some((text) => text.includes(opening));
  return said ? question : `${opening} ${question}`;
}
