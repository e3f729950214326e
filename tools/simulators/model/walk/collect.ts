import { type Answer, call, say, type Tool } from '../protocol.js';
import { coerce } from './coerce.js';
import { askedField, askFor, type Field, missingFields } from './fields.js';
import type { Turn } from './read-turn.js';
import { quotedSentence } from './speak.js';

/** The next step of a collect task: saves an answer or asks for a missing field. Undefined if none is missing. */
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

/** The last of several messages that is a valid value for the field. */
function lastUsable(heard: string[], field: Field): unknown {
  return heard.map((text) => coerce(text, field.schema)).findLast((value) => value !== undefined);
}

function askAgain(field: Field): Answer {
  return say(`I could not use that. ${askFor(field)}`);
}

/** Puts the quoted sentence of the prompt before the first question. */
function withOpening(turn: Turn, question: string): string {
  const opening = turn.task && quotedSentence(turn.task.prompt);
  const said = opening === undefined || turn.said.some((text) => text.includes(opening));
  return said ? question : `${opening} ${question}`;
}
