import { describe, expect, it } from 'vitest';
import { insertEmailOptOut, selectEmailOptOuts } from '../../../../db/channels/email-opt-outs.js';
import { useMailroom } from '../../../support/emails/use-mailroom.js';
import { hours } from '../../../support/lib/moved-clock.js';

const { workspace, clock, room, sender, handIn, rows, stageThread } = useMailroom();

describe('a mail that opts out in words', () => {
  const optOuts = () => workspace.within((tx) => selectEmailOptOuts(tx, sender(), clock.now()));
  const writtenTo = (chatId: unknown) =>
    rows('messages', ['chat_id', 'author', 'content']).then((all) =>
      all.filter((one) => one.chat_id === chatId),
    );

  it('is obeyed and confirmed once, is not for the agent, and alerts a colleague', async () => {
    const text = 'Please stop emailing me.';
    const { chatId } = await handIn({ subject: 'Your mails', text });
    expect(await optOuts()).toMatchObject([{ source: 'link' }]);
    const chat = (await room.chats()).find(({ id }) => id === chatId);
    expect(chat).toMatchObject({ needsResponseReason: 'opted_out', version: 0 });
    expect(await writtenTo(chatId)).toMatchObject([
      { author: 'member' },
      { author: 'system', content: expect.stringContaining('unsubscribed') },
    ]);
    const proofs = await rows('opt_out_proofs', ['channel', 'source', 'heard_on', 'recipient', 'words']);
    expect(proofs.filter(({ recipient }) => recipient === sender())).toMatchObject([
      { channel: 'email', source: 'words', heard_on: 'email', words: expect.stringContaining(text) },
    ]);
    clock.advance(hours(2));
    const again = await handIn({ subject: 'Again', text });
    expect((await writtenTo(again.chatId)).filter(({ author }) => author === 'system')).toEqual(
      again.chatId === chatId ? [expect.anything()] : [],
    );
  });

  it('pauses the chat and asks a person where it may mean something else', async () => {
    const { chatId } = await handIn({ subject: 'Mails', text: 'How do I unsubscribe?' });
    expect(await optOuts()).toEqual([]);
    const chat = (await room.chats()).find(({ id }) => id === chatId);
    expect(chat).toMatchObject({ paused: true, needsResponseReason: 'opt_out_unclear' });
  });

  it.each([
    ['a program has sent', { headers: ['Auto-Submitted: auto-replied'] }],
    ['came through a list', { headers: ['List-Id: <x.example>'] }],
  ])('that %s changes nothing', async (_what, more) => {
    await handIn({ text: 'Please stop emailing me.', ...more });
    expect(await optOuts()).toEqual([]);
  });
});

describe('a mail from an address that has opted out of email', () => {
  const optOut = (source: 'link' | 'complaint' | 'bounce', optedOutAt = clock.now()) =>
    workspace.within((tx) => insertEmailOptOut(tx, { recipient: sender(), optedOutAt, source }));
  const inForce = () => workspace.within((tx) => selectEmailOptOuts(tx, sender(), clock.now()));

  it.each([
    ['complaint', ['link']],
    ['bounce', []],
    ['link', ['link']],
  ] as const)('by a %s lets replies through, and no more', async (source, left) => {
    await optOut(source);
    expect(await handIn()).toMatchObject({ state: 'chat' });
    expect((await inForce()).map((found) => found.source)).toEqual(left);
  });

  it.each(['complaint', 'bounce'] as const)('takes back no %s that came after it', async (source) => {
    await optOut(source, new Date(clock.now().getTime() + 1));
    expect(await handIn()).toMatchObject({ state: 'chat' });
    expect(await inForce()).toMatchObject([{ source }]);
  });

  it.each([
    ['nobody vouches for', { dmarc: 'fail header.from=example.org' }],
    ['a program has sent', { headers: ['Auto-Submitted: auto-replied'] }],
    ['came through a list', { headers: ['List-Id: <x.example>'] }],
  ])('that %s changes nothing', async (_what, more) => {
    const { replyAddress } = await stageThread();
    await optOut('complaint');
    await optOut('bounce');
    await handIn({ to: replyAddress, ...more });
    expect((await inForce()).map((found) => found.source)).toEqual(['bounce', 'complaint']);
  });
});
