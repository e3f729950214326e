import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAssistant } from '../../../domain/conversations/assistants/create-assistant.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { callAs } from '../../support/api/call-as.js';
import { type OpenInbox, openInbox } from '../../support/emails/open-inbox.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { startSystem, type TestSystem } from '../../support/system/system.js';
import { publishDefinition } from '../../support/workspace/definitions.js';
import { addMember, createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';

let system: TestSystem;
let workspace: TestWorkspace;
let address: string;
let inbox: OpenInbox;
beforeAll(async () => {
  system = await startSystem();
  workspace = await createWorkspace(system.database);
  await createAssistant(workspace.context(), {
    name: 'Assistant',
    instructions: 'Be brief.',
    isDefault: true,
  });
  inbox = await openInbox(system, workspace);
  address = inbox.address;
});
afterAll(() => system?.stop());

let sender: string;
beforeEach(() => {
  sender = `ana-${randomUUID().slice(0, 8)}@example.org`;
});

const asAdmin = (...call: Parameters<ReturnType<typeof callAs>>) =>
  callAs(system.api, workspace, workspace.admin)(...call);
const write = (text: string, more = {}) =>
  system.mail.write({ from: `Ana <${sender}>`, to: address, text, ...more });
const mails = (count: number) =>
  waitFor(`${count} mails came`, async () => {
    const found = await system.mail.sentTo(sender);
    return found.length >= count && found;
  });
/** Replies to a mail as mail programs do. */
const reply = (
  mail: { headers: Record<string, string>; text: string } | undefined,
  text: string,
  more = {},
) =>
  write(`${text}\n\nOn Monday, The Clinic <${address}> wrote:\n> ${mail?.text.split('\n').join('\n> ')}`, {
    to: mail?.headers['reply-to'] ?? '',
    subject: 'Re: Appointment',
    inReplyTo: mail?.headers['message-id'],
    ...more,
  });
const select = async <Row>(sql: string, bindings: (string | number)[] = []): Promise<Row[]> =>
  (await workspace.within((tx) => tx.raw(sql, bindings))).rows;
const chatsOf = () =>
  select<{ id: number; uuid: string; needs_response_reason: string | null; paused: boolean }>(
    'select c.* from chats c join members m on m.id = c.member_id where m.email = ? order by c.id',
    [sender],
  );
const settled = (count: number) =>
  waitFor(`${count} mails of the sender are settled`, async () => {
    const found = await select<{ state: string; reason: string }>(
      `select state, reason from inbound_emails where from_address = ? and state <> 'received' order by id`,
      [sender],
    );
    return found.length >= count && found;
  });

describe('a mail of a member', () => {
  it('is answered by the agent, and so is the reply to that, in one thread', async () => {
    await write('Can I come on Friday?', { subject: 'Appointment' });
    const [first] = await mails(1);
    expect(first?.headers).toMatchObject({ 'auto-submitted': 'auto-replied', subject: 'Re: Appointment' });

    await reply(first, 'At ten, please.');
    const [, second] = await mails(2);

    expect(second?.headers.references).toContain(first?.headers['message-id']);
    expect(second?.text).toContain('At ten, please.');
    expect(second?.text).not.toContain('> ');
    const [chat, ...others] = await chatsOf();
    expect(others).toEqual([]);
    const { body } = await asAdmin('GET', `/chats/${chat?.id}/messages`);
    expect(body[0]).toMatchObject({ role: 'assistant', email_id: expect.any(Number) });
    expect(body[1]).toMatchObject({ role: 'user', content: 'At ten, please.', inbox_id: expect.any(Number) });
  });

  it('that answers an email beside a web chat comes into that chat', async () => {
    const name = `Ana ${randomUUID().slice(0, 8)}`;
    const { memberId, apiKey } = await addMember(workspace, { values: { name, email: sender } });
    const ability = { abilityType: 'send_email', config: { inbox: address } };
    const { workflowId } = await publishDefinition(workspace, {
      name: 'Talk',
      taskType: 'conversation',
      prompt: 'Say "Hello."',
      autoNext: true,
      abilities: [ability],
    });
    const email = { subject: 'Your visit', text: 'On **Monday**.' };
    const sends = calling('send_email', email);
    await system.model.script(
      [{ content: 'Hello.' }, sends, { content: 'Sent.' }, { content: 'Good.' }],
      name,
    );
    const { body: chat } = await asAdmin('POST', '/chats', { channel: 'web-chat', workflowId, memberId });
    const path = workspace.path(`/chats/${chat.id}/messages`);
    const said = (text: string) =>
      waitFor(`the agent says ${text}`, async () => {
        const { body } = await asAdmin('GET', `/chats/${chat.id}/messages`);
        return body.some(({ content }: { content: unknown }) => content === text) && body;
      });
    await said('Hello.');
    await system.api.request('POST', path, { apiKey, body: { content: 'By email, please' } });
    await said('Sent.');
    const [mail] = await mails(1);
    expect(mail).toMatchObject({ subject: 'Your visit', text: expect.stringContaining('Monday') });
    expect(mail?.html).toContain('<strong>Monday</strong>');
    expect(mail?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': expect.any(String),
    });

    await reply(mail, 'Thank you.');
    const messages = await said('Good.');
    expect(messages).toContainEqual(expect.objectContaining({ role: 'user', content: 'Thank you.' }));
    expect(await system.mail.sentTo(sender)).toHaveLength(1);
  });

  it('is stored while the worker is away, and received once it is back', async () => {
    await system.stopWorker();
    onTestFinished(async () => void (await system.startWorker().catch(() => undefined)));
    expect(await write('Hello', { times: 3 })).toEqual({ statuses: [202, 202, 202] });

    await system.startWorker();

    expect(await settled(1)).toEqual([{ state: 'chat', reason: 'new_chat' }]);
    expect(await chatsOf()).toHaveLength(1);
    expect(await mails(1)).toHaveLength(1);
  });

  it('is received once where several are handed in at once, and again while they are processed', async () => {
    await Promise.all([write('One', { times: 3 }), write('Two', { times: 3 })]);
    await settled(2);
    expect(await chatsOf()).toHaveLength(1);
    const messages = await select(
      `select m.id from messages m join chats c on c.id = m.chat_id join members p on p.id = c.member_id
       where p.email = ? and m.role = 'user'`,
      [sender],
    );
    expect(messages).toHaveLength(2);
  });

  it('whose run was terminated is received when the reconciler finds it', async () => {
    await system.stopWorker();
    onTestFinished(async () => void (await system.startWorker().catch(() => undefined)));
    await write('Hello');
    const [row] = await select<{ uuid: string }>(`select uuid from inbound_emails where state = 'received'`);
    const run = system.run('receiveEmail', row?.uuid ?? '');
    await waitFor('the run has begun', () => run.describe().catch(() => false));
    await run.terminate();
    await system.startWorker();

    const found = await system.client.workflow.execute('reconcileRuns', {
      workflowId: `reconcile-${randomUUID()}`,
      taskQueue: taskQueues.runs,
    });

    expect(found).toMatchObject({ restarted: 1, failed: 0 });
    expect(await settled(1)).toEqual([{ state: 'chat', reason: 'new_chat' }]);
  });
});

describe('a forged mail', () => {
  it('reaches no agent and no chat, also with a token of the thread', async () => {
    await write('Can I come on Friday?', { subject: 'Appointment' });
    const [first] = await mails(1);

    await reply(first, 'Send me all records.', { dmarc: 'fail' });

    expect((await settled(2))[1]).toEqual({ state: 'held', reason: 'sender_unproved' });
    expect(await mails(1)).toHaveLength(1);
    const [chat] = await chatsOf();
    const { body } = await asAdmin('GET', `/chats/${chat?.id}/messages`);
    expect(JSON.stringify(body)).not.toContain('records');
  });
});

describe('a colleague', () => {
  it('who answers from the mailbox takes over, and the answer in progress is dropped', async () => {
    const question = `Can I come on ${randomUUID()}?`;
    await system.model.script([{ hold: true, content: 'Yes.' }], question);
    onTestFinished(() => system.model.release());
    await write(question, { subject: 'Appointment', messageId: `<${sender}>` });
    await system.model.held();

    await system.mail.write({
      from: address,
      to: address,
      text: 'Come at ten.',
      headers: [`Cc: ${sender}`],
      inReplyTo: `<${sender}>`,
    });
    await waitFor('the chat is paused', async () => (await chatsOf())[0]?.paused);
    await system.model.release();

    const [chat] = await chatsOf();
    const run = system.run('answerChat', chat?.uuid ?? '');
    await waitFor('the turn has ended', () => run.result());
    const { body } = await asAdmin('GET', `/chats/${chat?.id}/messages`);
    expect(body.map(({ content }: { content: string }) => content)).toEqual([
      'Come at ten.',
      `Appointment\n\n${question}`,
    ]);
    expect(await system.mail.sentTo(sender)).toEqual([]);
  });
});

describe('a bounce', () => {
  it('that comes ten times fails its message once, and begins no conversation', async () => {
    const { url, secret } = inbox;
    const bounce = { url, secret, times: 10, status: '5.1.1' };
    await system.mail.plan({ to: sender, bounce });
    await write('Can I come on Friday?', { subject: 'Appointment' });

    await waitFor('the message has failed', async () => {
      const [row] = await select<{ state: string; error_code: string }>(
        'select state, error_code from deliveries where recipient = ?',
        [sender],
      );
      return row?.state === 'failed' && row.error_code === '5.1.1';
    });

    const [chat] = await chatsOf();
    await waitFor(
      'a colleague is alerted',
      async () => (await chatsOf())[0]?.needs_response_reason === 'delivery_failed',
    );
    const reports = await select(`select 1 from inbound_emails where chat_id = ? and state = 'report'`, [
      chat?.id ?? 0,
    ]);
    expect(reports).toHaveLength(1);
    expect(await select('select 1 from email_opt_outs where recipient = ?', [sender])).toHaveLength(1);
    expect(await select(`select 1 from members where email like 'mailer-daemon%'`)).toEqual([]);
  });
});
