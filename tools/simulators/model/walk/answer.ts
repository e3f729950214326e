import { type Answer, type CompletionRequest, call, say, type Tool } from '../protocol.js';
import { askedCall, directedCall, outcomeOf } from './abilities.js';
import { coerce } from './coerce.js';
import { askedField, askFor, type Field, missingFields } from './fields.js';
import { chooseOption, listOptions, type Option, readOptions } from './options.js';
import { readTurn, type Turn } from './read-turn.js';
import { hasAsked, questionOf, quotedSentence } from './speak.js';
import { summarize } from './summarize.js';

/**
 * Follows a definition literally: asks the question of the current task, reads the person's answer and calls the
 * matching tool. Each message of the person leads to at most one tool call, so a turn ends whatever the tools return.
 */
export function answer({ messages, tools }: CompletionRequest): Answer {
  const summary = tools.find(({ name }) => name === 'write_summary');
  if (summary !== undefined) return summarize(messages, summary);
  const turn = readTurn(messages);
  const { content, toolCalls } = next(turn, tools);
  const isBack = turn.returned !== undefined && content !== null;
  return { content: isBack ? `${turn.returned} ${content}` : content, toolCalls };
}

function next(turn: Turn, tools: Tool[]): Answer {
  const offered = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);

  const selectTask = offered('select_task');
  const options = selectTask ? readOptions(selectTask) : [];
  const walks = options.length > 0 || offered('complete_task') || quotedSentence(turn.task?.prompt ?? '');
  const saveData = offered('save_data');
  const outcome = outcomeOf(turn);
  if (outcome !== undefined) {
    const missing = saveData && collect({ ...turn, heard: [] }, saveData)?.content;
    const question = missing ?? (walks ? questionOf(turn.task, options) : undefined);
    return say(outcome.isLast || !question ? outcome.text : `${outcome.text} ${question}`);
  }
  const asked = askedCall(turn, tools);
  if (asked !== undefined) return asked;

  const collected = saveData && collect(turn, saveData);
  if (collected !== undefined) return collected;

  const isHeard = turn.heard.length > 0;
  const answered = isHeard && hasAsked(turn);
  if (answered && options.length > 0) return choose(turn, options);
  if (answered && offered('complete_task')) return call('complete_task', {});

  if (isHeard && !walks) return say(acknowledge(turn.heard));
  return (
    (hasAsked(turn) ? undefined : directedCall(turn, tools)) ??
    say(withReminder(turn, questionOf(turn.task, options)))
  );
}

/** Without a task, the reply repeats the messages that were read, so that a test can see that none was missed. */
function acknowledge(heard: string[]): string {
  return `You wrote: ${heard.join(' / ')}. How can I help you?`;
}

function withReminder({ reminder }: Turn, question: string): string {
  return reminder === undefined ? question : `${quotedSentence(reminder) ?? reminder} ${question}`;
}

function choose(turn: Turn, options: Option[]): Answer {
  const chosen = chooseOption(turn.heard.join('\n'), options);
  if (chosen !== undefined) return call('select_task', { task: chosen.uuid });
  const question = questionOf(turn.task, []);
  return say(`I did not get that. ${question} ${listOptions(options)}`);
}

/** The next step of a collect task: saves an answer or asks for a missing field. Undefined if none is missing. */
function collect(turn: Turn, tool: Tool): Answer | undefined {
  const missing = missingFields(tool);
  const [first] = missing;
  if (first === undefined) return undefined;

  const asked = turn.lastSaid === undefined ? undefined : askedField(turn.lastSaid, missing);
  if (asked !== undefined && turn.heard.length > 0) {
    // Of several messages, the last that is a valid value counts.
    const values = turn.heard.map((text) => coerce(text, asked.schema));
    const value = values.findLast((one) => one !== undefined);
    return value === undefined ? askAgain(asked) : call(tool.name, { [asked.slug]: value });
  }
  if (asked !== undefined && turn.done.some(({ name }) => name === tool.name)) return askAgain(asked);
  return say(withOpening(turn, askFor(first)));
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

/** Schedules a follow-up at the beginning of a turn, if the tool is offered; the next answer is the usual one. */
export function scheduleAnother({ messages, tools }: CompletionRequest): Answer | undefined {
  const mayFollowUp = tools.some(({ name }) => name === 'schedule_follow_up');
  if (!mayFollowUp || messages.at(-1)?.role === 'tool') return undefined;
  return call('schedule_follow_up', { after: 'PT1S', instructions: 'Ask "Are you still there?"' });
}
