import { listOptions, type Option } from './options.js';
import type { Task, Turn } from './read-turn.js';
import { normalised } from './words.js';

/** The question on entering a task: the first quoted sentence of the prompt, or one made from the task's name. */
export function questionOf(task: Task | undefined, options: Option[]): string {
  const quoted = task && quotedSentence(task.prompt);
  if (quoted !== undefined) return quoted;
  const opening = openingOf(task);
  return options.length === 0 ? opening : `${opening} ${listOptions(options)}`;
}

/** The first text in double quotes, straight or curly. */
export function quotedSentence(prompt: string): string | undefined {
  const found = prompt.match(/"([^"\n]+)"|“([^”\n]+)”/);
  return (found?.[1] ?? found?.[2])?.trim() || undefined;
}

/** Whether the assistant's last message was this task's question, asked for the first time or repeated. */
export function hasAsked(turn: Turn): boolean {
  if (turn.lastSaid === undefined) return false;
  const core = (turn.task && quotedSentence(turn.task.prompt)) ?? openingOf(turn.task);
  return normalised(turn.lastSaid).includes(normalised(core));
}

function openingOf(task: Task | undefined): string {
  return task === undefined || task.name === '' ? 'How can I help you?' : `Let us talk about: ${task.name}.`;
}
