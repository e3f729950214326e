import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { prepareSummary, storeSummary } from '../../../../domain/conversations/summaries/write-summary.js';
import { type StagedCall, stageCall } from '../../../support/calls/staged-call.js';
import { type FreeChat, stageFreeChat } from '../../../support/chats/free-chat.js';
import { namesOf, toldDuring, toldEvents } from '../../../support/webhooks/told-events.js';
import { addMember } from '../../../support/workspace/factories.js';
import { useWorkspace } from '../../../support/workspace/use-workspace.js';
import { usage } from '../../agent/take-round.js';

const stage = useWorkspace({ storesEvents: true });
let chat: FreeChat;
let call: StagedCall;

beforeEach(async () => {
  const { workspace } = stage;
  const member = await addMember(workspace, { role: workspace.roles.member });
  chat = await stageFreeChat(workspace, { member });
  call = await stageCall(workspace, chat.clock, chat.chatId);
});

/** Has a summary written of what is said so far; it is stored once that is asked for. */
async function written(requestUuid: string, summary: string) {
  const ref = {
    workspaceId: stage.workspace.workspaceId,
    chatId: chat.chatId,
    requestUuid,
    updateLabels: false,
  };
  const prepared = await prepareSummary(chat.context, ref);
  if (prepared.kind === 'settled') return async () => prepared.outcome;
  const text = JSON.stringify({ title: 'Knee', summary });
  const tool = { id: 'theirs', name: 'write_summary', arguments: text };
  return () => storeSummary(chat.context, ref, prepared, { content: null, toolCalls: [tool], usage });
}

const told = async () => (await toldEvents(stage.workspace)).at(-1)?.body;

it('the summary after a call is told once, with the call', async () => {
  const { uuid } = await call.row();
  await call.says('My knee hurts.', 'item_1');
  const write = async () => (await written(uuid, 'The knee hurts.'))();
  const names = await toldDuring(stage.workspace, async () => {
    expect([await write(), await write()]).toEqual(['summarized', 'summarized']);
  });

  expect(namesOf(names)).toEqual(['call:summary']);
  expect(await told()).toMatchObject({
    chat: { id: chat.chatId },
    call: { id: call.callId },
    summary: 'The knee hurts.',
  });
});

it('the summary after a call is told as well if a later one was written sooner, which stays', async () => {
  const { uuid } = await call.row();
  await call.says('My knee hurts.', 'item_1');
  const storeOfCall = await written(uuid, 'The knee hurts.');
  await call.says('And my back.', 'item_2');
  const later = 'The knee and the back hurt.';
  expect(await (await written(randomUUID(), later))()).toBe('summarized');
  const names = await toldDuring(stage.workspace, async () => {
    expect(await storeOfCall()).toBe('summarized');
  });

  expect(namesOf(names)).toEqual(['call:summary']);
  expect(await told()).toMatchObject({ call: { id: call.callId }, summary: later });
});

it.each(['between', 'before'] as const)(
  'the summary after a call is told once if its attempt is repeated, with a later summary %s',
  async (later) => {
    const { uuid } = await call.row();
    await call.says('My knee hurts.', 'item_1');
    const [store, repeat] = [await written(uuid, 'The knee hurts.'), await written(uuid, 'The knee hurts.')];
    await call.says('And my back.', 'item_2');
    const storeLater = await written(randomUUID(), 'The knee and the back hurt.');
    const order = later === 'between' ? [store, storeLater, repeat] : [storeLater, store, repeat];
    const names = await toldDuring(stage.workspace, async () => {
      for (const one of order) expect(await one()).toBe('summarized');
    });

    expect(namesOf(names)).toEqual(['call:summary']);
  },
);
