import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolAnswer } from '../../../../tools/dev/demo/mcp/mcp-client.js';
import { Reception } from '../../../../tools/dev/demo/mcp/reception.js';

afterEach(() => vi.restoreAllMocks());

const answer = (data: object): ToolAnswer => ({ isError: false, data, text: JSON.stringify(data) });
const message = (id: string, content: string) => ({ id, role: 'assistant', content });
const keys = { member: 'one', chat: 'two' };

/** Tools of a workspace in which the assignment is in `Your details`. */
function tools(changed: Record<string, ToolAnswer> = {}) {
  const calls: { name: string; args: object }[] = [];
  const answers: Record<string, ToolAnswer> = {
    get_own_member: answer({ member: { name: 'Demo Admin' }, permissions: ['members:write'] }),
    list_workflows: answer({ items: [{ id: 4, name: 'Clinic intake', description: 'Prepares a visit.' }] }),
    create_member: answer({ id: 5 }),
    create_chat: answer({ id: 6, assignmentId: 7 }),
    get_current_task: answer({ taskName: 'Your details', state: 'waits for the member' }),
    get_assignment: answer({
      status: 'active',
      rootTask: { id: 1, taskName: 'Welcome', children: [{ id: 9, taskName: 'Done' }] },
    }),
    select_task: {
      isError: true,
      data: undefined,
      text: JSON.stringify({ code: 'task_not_allowed', detail: 'The guard of “Done” does not hold.' }),
    },
    list_chat_messages: answer({ items: [message('m', 'What is your full name?')] }),
    send_chat_message: answer({}),
    ...changed,
  };
  const call = async (name: string, args: object = {}) => {
    calls.push({ name, args });
    return answers[name] ?? answer({});
  };
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  return {
    client: { call },
    calls,
    shown: () => printed.mock.calls.map(([line]) => String(line)).join('\n'),
  };
}

describe('the AI client of the demo', () => {
  it('begins a chat with the workflow and the member that the tools have answered with', async () => {
    const { client, calls, shown } = tools();
    await new Reception(client).begin('Clinic intake', keys);
    expect(calls.map(({ name }) => name)).toEqual([
      'get_own_member',
      'list_workflows',
      'create_member',
      'create_chat',
      'create_chat',
    ]);
    const chat = { channel: 'web-chat', workflowId: 4, memberId: 5, idempotencyKey: 'two' };
    expect(calls.at(-1)?.args).toEqual(chat);
    expect(shown()).toContain('the same chat: 6');
  });

  it('relays each answer of the member once, and shows that a guard refuses a jump', async () => {
    const { client, calls, shown } = tools();
    const reception = new Reception(client);
    await reception.begin('Clinic intake', keys);
    expect(await reception.goOn()).toBe(false);
    expect(await reception.goOn()).toBe(false);
    const sent = calls.filter(({ name }) => name === 'send_chat_message');
    expect(sent).toEqual([{ name: 'send_chat_message', args: { chat_id: 6, content: 'Robin Sample' } }]);
    const jumps = calls.filter(({ name }) => name === 'select_task');
    expect(jumps).toEqual([{ name: 'select_task', args: { assignment_id: 7, assignment_task_id: 9 } }]);
    expect(shown()).toContain('The guard of “Done” does not hold.');
  });

  it('selects the task that the member chooses by agreeing, as the current task offers it', async () => {
    const children = [
      { assignmentTaskId: 21, choicePrompt: 'No, not now' },
      { assignmentTaskId: 22, choicePrompt: 'Yes, prepare the visit now' },
    ];
    const { client, calls } = tools({
      get_current_task: answer({ taskName: 'Welcome', state: 'waits', childTasks: children }),
      list_chat_messages: answer({ items: [message('m', 'The leaflet says: drink water.')] }),
      select_task: answer({}),
    });
    const reception = new Reception(client);
    await reception.begin('Clinic intake', keys);
    await reception.goOn();
    const steps = calls.filter(({ name }) => ['select_task', 'send_chat_message'].includes(name));
    expect(steps).toEqual([{ name: 'select_task', args: { assignment_id: 7, assignment_task_id: 22 } }]);
  });

  it('fails if a guard lets it jump, or a tool refuses what has to work', async () => {
    const jumping = tools({ select_task: answer({ id: 9 }) });
    const reception = new Reception(jumping.client);
    await reception.begin('Clinic intake', keys);
    await expect(reception.goOn()).rejects.toThrow('A guard let an AI client jump');

    const refused: ToolAnswer = { isError: true, data: undefined, text: 'forbidden' };
    const { client } = tools({ create_member: refused });
    await expect(new Reception(client).begin('Clinic intake', keys)).rejects.toThrow(
      'create_member was refused: forbidden',
    );
  });
});
