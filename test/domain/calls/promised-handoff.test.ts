import { beforeEach, describe, expect, it } from 'vitest';
import { findChat } from '../../../db/conversations/chats.js';
import { insertMessage, type NewMessage } from '../../../db/conversations/messages.js';
import { promisesHandoff } from '../../../domain/calls/promised-handoff.js';
import { type StagedCall, stageCall } from '../../support/calls/staged-call.js';
import { type FreeChat, stageFreeChat } from '../../support/chats/free-chat.js';
import { MovedClock } from '../../support/lib/moved-clock.js';
import { addMember } from '../../support/workspace/factories.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

describe('words that promise a person', () => {
  it.each([
    'One moment. I’ll connect you with the front desk.',
    "I'm now transferring you to a colleague.",
    'Let me put you through.',
    'A colleague of mine will call you back today.',
    'Ich verbinde Sie mit der Anmeldung.',
    'Dann leite ich Sie an eine Kollegin weiter.',
    'Eine Kollegin meldet sich heute bei Ihnen.',
    'Je vous passe un collègue.',
    'Le paso con un compañero.',
    'La passo a un collega.',
    'Vou transferir você agora.',
    'Ik verbind u door.',
  ])('are found: %s', (text) => {
    expect(promisesHandoff(text)).toBe(true);
  });

  it.each([
    'Shall I connect you with a person?',
    'If you like, I will connect you with a colleague.',
    'I cannot connect you with a person.',
    'Your colleague has called. Goodbye!',
    'Wenn Sie möchten, verbinde ich Sie.',
    'I will send you the address.',
  ])('are not in what offers or refuses it: %s', (text) => {
    expect(promisesHandoff(text)).toBe(false);
  });
});

describe('a call in which the agent has promised a person', () => {
  const stage = useWorkspace();
  let chat: FreeChat;
  let call: StagedCall;

  beforeEach(async () => {
    const member = await addMember(stage.workspace, { role: stage.workspace.roles.member });
    chat = await stageFreeChat(stage.workspace, { member });
    call = await stageCall(stage.workspace, new MovedClock(), chat.chatId);
    await call.advance();
    await call.reports({ status: 'in-progress' });
  });

  const says = (message: Partial<NewMessage>) =>
    call.inCall((tx) =>
      insertMessage(tx, {
        chatId: chat.chatId,
        role: 'assistant',
        author: 'agent',
        callId: call.callId,
        ...message,
      }),
    );
  const calls = (name: string) =>
    says({ toolCalls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }] });
  const whyCalled = async () => {
    await call.reports({ status: 'completed' });
    return (await call.inCall((tx) => findChat(tx, chat.chatId)))?.needsResponseReason;
  };

  it('by words alone alerts a colleague when it has ended', async () => {
    await says({ content: 'I will connect you with the desk.' });
    await calls('save_data');
    await says({ content: 'Goodbye.' });
    expect(await whyCalled()).toBe('handoff_promised');
  });

  it.each(['handoff', 'forward_call'])('and has called %s alerts nobody else', async (name) => {
    await calls(name);
    await says({ content: 'I will connect you with the desk.' });
    expect(await whyCalled()).not.toBe('handoff_promised');
  });

  it('in words of the member alerts nobody', async () => {
    await says({ role: 'user', author: 'member', content: 'I will connect you with the desk.' });
    expect(await whyCalled()).toBeNull();
  });
});
