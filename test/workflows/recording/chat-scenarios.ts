import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import type { Scenarios } from './scenario.js';

export const chatScenarios: Scenarios = {
  'answer-chat': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.model.script([{ hold: true, content: 'too late' }], chat.texter.row.name ?? '');
    await chat.write('one');
    await system.model.held();
    await chat.write('two');
    await system.model.release();
    await chat.heard('one / two');
    return `chat-${chat.chatUuid}`;
  },

  'answer-chat-given-up': async (system, workspace) => {
    const chat = await workspace.openChat();
    await system.model.script([{ status: 400, error: 'content_filter' }], chat.texter.row.name ?? '');
    await chat.write('hello');
    await waitFor('a person is called', async () => (await chat.chat()).needsResponse);
    return `chat-${chat.chatUuid}`;
  },

  /** At the second attempt. */
  'summarize-chat': async (system, workspace) => {
    const chat = await workspace.openChat();
    await chat.write('my knee hurts');
    await chat.heard('my knee hurts');
    await system.model.script([{ content: 'no summary' }], 'You summarize one chat');
    await workspace.asAdmin('POST', `/chats/${chat.chatId}/summarize`, undefined, { update_labels: 'true' });
    for await (const { workflowId } of system.client.workflow.list({
      query: `WorkflowType = 'summarizeChat'`,
    })) {
      return workflowId;
    }
    throw new Error('no run was started');
  },

  'answer-chat-followed-up': async (system, workspace) => {
    const chat = await workspace.openChat();
    const followUp = calling('schedule_follow_up', { after: 'PT1S', instructions: 'Ask how it went' });
    await system.model.script([followUp, { content: 'I will.' }], chat.texter.row.name ?? '');
    await chat.write('remind me');
    await chat.heard('Ask how it went');
    return `chat-${chat.chatUuid}`;
  },
};
