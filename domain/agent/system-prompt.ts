import type { Channel } from '../../db/conversations/chats.js';
import { findMember } from '../../db/people/members.js';
import { ancestorsOf } from '../definitions/task-tree/tree.js';
import type { TaskNode } from '../definitions/task-tree/types.js';
import { timezoneOfMember } from '../kernel/timezone-of-member.js';
import { renderTemplate } from '../lib/template.js';
import { composeSystemPrompt } from './agent-prompt.js';
import type { Situation } from './situation.js';

/**
 * The system prompt of a turn.
 * @param additionalInstructions those of the assistant in this chat
 * @param channel on which the member gets the answer: during a call not that of the chat
 */
export async function systemPrompt(
  { tx, chat, now, task, machine, assistant, told, ...situation }: Situation,
  additionalInstructions: string,
  channel: Channel = chat.channel,
): Promise<string> {
  const member = await findMember(tx, chat.memberId);
  const rendered = ({ name, prompt }: TaskNode) => {
    const text = prompt ?? '';
    return { name, renderedPrompt: told ? renderTemplate(text, told, 'plain').text : text };
  };
  return composeSystemPrompt({
    assistantInstructions: assistant?.instructions ?? '',
    additionalInstructions,
    memberName: situation.isWithheld ? null : (member?.name ?? null),
    locale: member?.locale ?? null,
    channel,
    now,
    timezone: await timezoneOfMember(tx, chat.memberId),
    ancestors: machine === undefined ? [] : ancestorsOf(machine.tree, task).map(rendered),
    currentTask: rendered(task),
    missingFields: situation.collects?.missing.map(({ name }) => name) ?? [],
    choices: situation.choices,
    remainingRequired: situation.remainingRequired,
  });
}
