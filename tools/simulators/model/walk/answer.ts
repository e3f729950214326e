import { type Answer, type CompletionRequest, call, say, type Tool } from '../protocol.js';
import { asksForPerson } from './asks-for-person.js';
import { collect } from './collect.js';
import { directedCall } from './directed-call.js';
import { chooseOption, listOptions, type Option, readOptions } from './options.js';
import { readTurn, type Turn } from './read-turn.js';
import { hasAsked, questionOf, quotedSentence } from './speak.js';

/**
 * The answer of the simulated model. It follows a definition literally: it asks the question of the current task,
 * reads the person's answer and calls the matching tool.
 *
 * Each message of the person leads to at most one tool call, so a turn ends whatever the tools return.
 */
export function answer({ messages, tools }: CompletionRequest): Answer {
  const turn = readTurn(messages);
  const offered = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);

  const lastHeard = turn.heard.at(-1);
  if (lastHeard !== undefined && asksForPerson(lastHeard) && offered('handoff')) {
    return call('handoff', { reason: 'The member asked for a person.' });
  }
  if (turn.done.at(-1)?.name === 'handoff') return say('A colleague will answer you here.');

  const saveData = offered('save_data');
  const collected = saveData && collect(turn, saveData);
  if (collected !== undefined) return collected;

  const selectTask = offered('select_task');
  const options = selectTask ? readOptions(selectTask) : [];
  const answered = lastHeard !== undefined && hasAsked(turn);
  if (answered && options.length > 0) return choose(turn, options);
  if (answered && offered('complete_task')) return call('complete_task', {});

  const walks = options.length > 0 || offered('complete_task') || quotedSentence(turn.task?.prompt ?? '');
  if (lastHeard !== undefined && !walks) return say(acknowledge(turn.heard));
  return directedCall(turn, tools) ?? say(withReminder(turn, questionOf(turn.task, options)));
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
  return say(`I did not get that. ${question} You can choose: ${listOptions(options)}.`);
}
