import { expect, it } from 'vitest';
import { insertMessage } from '../../../../db/conversations/messages.js';
import { prepareSummary, storeSummary } from '../../../../domain/conversations/summaries/write-summary.js';
import { stageCall } from '../../../support/calls/staged-call.js';
import { stageFreeChat } from '../../../support/chats/free-chat.js';
import { namesOf, toldDuring, toldEvents } from '../../../support/webhooks/told-events.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { usage } from '../../agent/take-round.js';

const stage = useWorkspace({ storesEvents: true });

it('the summary after a call is told once, with the call', async () => {
  const { workspace } = stage;
  const member = await addMember(workspace, { role: workspace.roles.member });
  const chat = await stageFreeChat(workspace, { member });
  const call = await stageCall(workspace, chat.clock, chat.chatId);
  const { uuid } = await call.row();
  const said = { chatId: chat.chatId, role: 'user', author: 'member', content: 'My knee hurts.' } as const;
  await call.inCall((tx) => insertMessage(tx, { ...said, callId: call.callId, callItemId: 'item_1' }));
  const ref = {
    workspaceId: workspace.workspaceId,
    chatId: chat.chatId,
    requestUuid: uuid,
    updateLabels: false,
  };
  const write = async () => {
    const prepared = await prepareSummary(chat.context, ref);
    if (prepared.kind === 'settled') return prepared.outcome;
    const text = JSON.stringify({ title: 'Knee', summary: 'The knee hurts.' });
    const written = { id: 'theirs', name: 'write_summary', arguments: text };
    const answer = { content: null, toolCalls: [written], usage };
    return storeSummary(chat.context, ref, prepared, answer);
  };
  const told = await toldDuring(workspace, async () => {
    expect([await write(), await write()]).toEqual(['summarized', 'summarized']);
  });

  expect(namesOf(told)).toEqual(['call:summary']);
  expect((await toldEvents(workspace)).at(-1)?.body).toMatchObject({
    chat: { id: chat.chatId },
    call: { id: call.callId },
    summary: 'The knee hurts.',
  });
});
