import { describe, expect, it } from 'vitest';
import { proposedAnswers } from '../../../domain/agent/suggestions.js';
import { sendAssistantMessage } from '../../../domain/conversations/chats/send-assistant-message.js';
import type { RevisionTask } from '../../../domain/definitions/revision-rules/types.js';
import { createDataType } from '../../../domain/records/data-types/create-data-type.js';
import { type StagedAssignment, stageAssignment } from '../../support/chats/staged-assignment.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';
import { call, reply, Turn, toolResult } from './take-round.js';

const { workspace } = useWorkspace();

const abilities = [{ abilityType: 'suggest_answers' }, { abilityType: 'handoff' }];
const end = (name: string, more: Partial<RevisionTask> = {}): RevisionTask => ({
  name,
  taskType: 'conclude',
  configuration: { outcome: name.toLowerCase() },
  ...more,
});
const ask = (children: RevisionTask[], more: Partial<RevisionTask> = {}): RevisionTask => ({
  name: 'Ask',
  taskType: 'conversation',
  prompt: 'Ask how it went.',
  abilities,
  children,
  ...more,
});
const good = end('Good', { choicePrompt: 'It went\n well' });
const bad = end('Bad');
const lastOf = async (staged: StagedAssignment) => (await staged.messages()).at(-1);
const toolNames = async (staged: StagedAssignment) =>
  (await new Turn(staged).ask()).tools.map(({ name }) => name);

describe('the answers that a reply suggests', () => {
  it('are the choices of the task, as the agent is offered them, and the model is not asked for others', async () => {
    const staged = await stageAssignment(workspace, ask([good, bad]));
    expect(await toolNames(staged)).not.toContain('suggest_answers');

    await new Turn(staged).take(reply('How did it go?'));

    expect(await lastOf(staged)).toMatchObject({
      content: 'How did it go?',
      suggestions: ['It went well', 'Bad'],
    });
  });

  it('leave out choices that the guard does not allow', async () => {
    const closed = end('Closed', { celGuard: 'member.name == "Nobody"' });
    const staged = await stageAssignment(workspace, ask([good, closed, bad]));
    await new Turn(staged).take(reply('How did it go?'));
    expect(await lastOf(staged)).toMatchObject({ suggestions: ['It went well', 'Bad'] });
  });

  it('are the options of the field that a task asks for next', async () => {
    const slug = 'visits';
    const options = ['Morning', { value: 'pm', label: 'Afternoon' }];
    await createDataType(workspace.context(), {
      slug,
      name: 'Visits',
      isCollection: false,
      fields: [
        { slug: 'time', name: 'Time', fieldType: 'select', required: true, options },
        { slug: 'note', name: 'Note', fieldType: 'text', required: true },
      ],
    });
    const staged = await stageAssignment(workspace, {
      name: 'Time',
      taskType: 'collect',
      configuration: { dataTypeSlug: slug, fieldSlugs: ['time', 'note'] },
      abilities,
    });

    await new Turn(staged).take(reply('When?'));
    expect(await lastOf(staged)).toMatchObject({ suggestions: ['Morning', 'Afternoon'] });

    await staged.memberWrites('Afternoon');
    const turn = new Turn(staged);
    await turn.run(call(['save_data', { time: 'pm', note: '-' }]));
  });

  it('are what the model proposes in the turn, where there is nothing to choose', async () => {
    const staged = await stageAssignment(workspace, ask([good]));
    expect(await toolNames(staged)).toContain('suggest_answers');

    const turn = new Turn(staged);
    await turn.run(call(['suggest_answers', { answers: ['Old', 'Older'] }]));
    const { toolCallIds } = await turn.run(call(['suggest_answers', { answers: ['Yes', 'No'] }]));
    expect(await toolResult(staged, toolCallIds[0] ?? '')).toMatchObject({ ok: true });
    await turn.take(reply('Are you well?'));
    expect(await lastOf(staged)).toMatchObject({ content: 'Are you well?', suggestions: ['Yes', 'No'] });

    await staged.memberWrites('Yes');
    await new Turn(staged).take(reply('Good'));
    expect(await lastOf(staged)).toMatchObject({ content: 'Good', suggestions: [] });
  });

  it.each<[string, RevisionTask, object]>([
    ['without the ability', ask([good, bad], { abilities: [{ abilityType: 'handoff' }] }), {}],
    ['by SMS', ask([good, bad]), { channel: 'phone-sms' }],
    ['of more than ten choices', ask(Array.from({ length: 11 }, (_, at) => end(`Choice ${at}`))), {}],
    ['of one choice', ask([good]), {}],
    ['of choices that are no short answers', ask([end('A', { choicePrompt: 'x'.repeat(61) }), bad]), {}],
  ])('are none %s', async (_what, tasks, options) => {
    const staged = await stageAssignment(workspace, tasks, options);
    await new Turn(staged).take(reply('How did it go?'));
    expect(await lastOf(staged)).toMatchObject({ content: 'How did it go?', suggestions: [] });
  });

  it('are refused to a colleague, whose message is no reply of the agent', async () => {
    const { chatId, clock } = await stageAssignment(workspace, ask([good]));
    const toolCalls = [{ name: 'suggest_answers', arguments: '{"answers":["Yes","No"]}' }];
    const sent = sendAssistantMessage(workspace.context(workspace.admin, clock), {
      chatId,
      message: 'Are you well?',
      toolCalls,
    });
    await expect(sent).rejects.toMatchObject({ code: 'tool_not_available' });
  });
});

describe('what a model proposes', () => {
  it.each<[string, string, string[]]>([
    [
      'plain, in one line, each once',
      '{"answers":["  Yes\\n please ","Yes please","No\\u202e"]}',
      ['Yes please', 'No'],
    ],
    ['four at most', '{"answers":["1","2","3","4","5"]}', ['1', '2', '3', '4']],
    ['no text', '{"answers":[1,null,{"a":1},"","Yes"]}', ['Yes']],
    ['a long text', JSON.stringify({ answers: ['x'.repeat(61), 'Yes'] }), ['Yes']],
    ['no list', '{"answers":"Yes"}', []],
    ['no object', '[]', []],
    ['no JSON', 'Yes, No', []],
  ])('is taken as %s', (_what, written, answers) => {
    expect(proposedAnswers(written)).toEqual(answers);
  });
});
