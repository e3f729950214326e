import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { startSimulatedWebsite } from '../../support/simulators/simulated-website.js';
import { addSite } from '../../support/sites/add-site.js';
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
    await waitFor('a colleague is alerted', async () => (await chat.chat()).needsResponse);
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

  /** Its time is changed, and it is sent. */
  'send-scheduled-message': async (system, workspace) => {
    const chat = await workspace.openChat();
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const later = { message: 'How are you?', sendAt: at(3_600_000) };
    const path = `/chats/${chat.chatId}`;
    const sent = await workspace.asAdmin('POST', `${path}/send-assistant-message`, later);
    const { id, uuid } = sent.body.scheduledMessage;
    const run = system.run('sendScheduledMessage', uuid);
    await waitFor('the run waits', async () => {
      const { events } = await run.fetchHistory().catch(() => ({ events: [] }));
      return events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes) ?? false;
    });
    await workspace.asAdmin('PUT', `${path}/scheduled-messages/${id}`, { sendAt: at(1_500) });
    await run.result();
    return `scheduled-message-${uuid}`;
  },

  /** Its time is changed, and it is published. */
  'publish-page': async (system, workspace) => {
    const site = await addSite(workspace);
    const at = (ms: number) => ({ publishAt: new Date(Date.now() + ms).toISOString() });
    const pages = `/sites/${site.id}/pages`;
    const { id, uuid } = (await workspace.asAdmin('POST', pages, { title: 'News' })).body;
    const run = system.run('publishPage', uuid);
    await workspace.asAdmin('POST', `${pages}/${id}/publish`, at(3_600_000));
    await waitFor('the run waits', async () => {
      const { events } = await run.fetchHistory().catch(() => ({ events: [] }));
      return events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes) ?? false;
    });
    await workspace.asAdmin('POST', `${pages}/${id}/publish`, at(1_500));
    await run.result();
    return `publication-${uuid}`;
  },

  /** The source is busy for a while, and is read then. */
  'crawl-site': async (system, workspace) => {
    const website = await startSimulatedWebsite();
    try {
      await website.setKnobs({ answer: 'busy', status: 503, retryAfter: '6', after: 3, count: 1 });
      const { id, uuid } = await addSite(workspace);
      await workspace.asAdmin('POST', `/sites/${id}/crawl`, { url: `${website.site}/`, limit: 5 });
      await waitFor(
        'the crawl ends',
        async () => !(await workspace.asAdmin('GET', `/sites/${id}`)).body.crawl,
      );
      await system.run('crawlSite', uuid).result();
      return `crawl-${uuid}`;
    } finally {
      await website.close();
    }
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
