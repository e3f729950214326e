/**
 * The tour of the documentation (docs/tour.md), on the demo system that `npm start` has started:
 *
 *     npx tsx clients/typescript/examples/tour.ts
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, ProblemError } from '../src/index.js';

const dev: Record<string, string> = JSON.parse(readFileSync(process.argv[2] ?? '.data/dev.json', 'utf8'));
const { baseUrl = '', workspaceUuid = '', adminApiKey = '', memberApiKey = '', otherAdminApiKey = '' } = dev;
const { carrierSimulator, webhookSink, mailSimulator, adminEmail = '' } = dev;

/** Asks a simulator, which stands in for a phone, a receiver or a mailbox. */
async function simulator(method: string, url: string, body?: object) {
  const sent = { method, headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(url, body === undefined ? sent : { ...sent, body: JSON.stringify(body) });
  assert(response.ok, `${url}: ${response.status}`);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Asks again until there is an answer. */
async function until<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const value = await ask();
    if (value !== undefined) return value;
    await wait(100);
  }
  throw new Error('It did not happen within 30 seconds.');
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The problem of a call that has to fail. */
async function refused(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(error instanceof ProblemError);
  return error;
}

const client = createClient({ baseUrl, apiKey: adminApiKey, workspaceUuid });

// Ten calls
const workspace = await client.getWorkspace();
console.log('1. The workspace:', workspace.name);

const [workflow] = (await client.listWorkflows({ search: 'intake' })).items;
assert(workflow);
console.log('2. The workflow:', workflow.name);

const phone = `+15552${String(Date.now()).slice(-6)}`;
const member = await client.createMember({ body: { name: 'Alex Sample', phone } });
console.log('3. The member:', member.name);

const chat = await client.createChat({
  body: { channel: 'phone-sms', workflowId: workflow.id, memberId: member.id },
});
const assignment_id = chat.assignmentId;
assert(assignment_id !== null);
console.log('4. The chat:', chat.channel);

for await (const { event, data } of client.followChat({ chat_id: chat.id })) {
  // What was written before the stream began is not in it.
  const asked = { chat_id: chat.id };
  const messages = event === 'chat.snapshot' ? await all(client.each('listChatMessages', asked)) : [];
  if (event === 'message.created') messages.push(data.message);
  if (messages.some(({ content }) => String(content).includes('yes or no'))) break;
}
for await (const message of client.each('listChatMessages', { chat_id: chat.id })) {
  console.log(`5. ${message.role}:`, message.content);
}

await simulator('POST', `${carrierSimulator}/simulator/handsets/${phone}/messages`, {
  to: '+15550100100',
  body: 'Yes, now is fine',
});
console.log('6. The member has answered.');

await until(async () => {
  const { currentTaskName } = await client.getChat({ chat_id: chat.id });
  return currentTaskName === 'Your details' || undefined;
});
const detail = await client.getAssignmentCurrentTaskDetail({ assignment_id });
console.log('7. The current task:', detail.taskName);

const context = await client.getAssignmentCelContext({ assignment_id });
console.log('8. The values of conditions:', Object.keys(context).join(', '));

const { rootTask } = await client.getAssignment({ assignment_id });
const last = rootTask?.children?.[0]?.children?.at(-1);
assert(last);
const jump = await refused(client.selectAssignmentTask({ assignment_id, assignment_task_id: last.id }));
assert.equal(jump.code, 'task_not_allowed');
console.log('9. The jump is refused:', jump.message);

const { status } = await client.cancelAssignment({ assignment_id, body: { reason: 'Only trying it out.' } });
console.log('10. The assignment:', status);

const cancelled = { memberId: member.id, status: 'cancelled', sortBy: 'createdAt' } as const;
for await (const assignment of client.each('listAssignments', cancelled)) {
  console.log('Found the assignment:', assignment.outcomeReason);
}

const invalid = await refused(client.createMember({ body: { phone: 5550100, colour: 'blue' } as never }));
console.log(
  'Wrong fields:',
  invalid.errors
    .map(({ pointer }) => pointer)
    .sort()
    .join(', '),
);

const asMember = createClient({ baseUrl, apiKey: memberApiKey, workspaceUuid });
const asOther = createClient({ baseUrl, apiKey: otherAdminApiKey, workspaceUuid });
const [forbidden, missing] = await Promise.all(
  [asMember, asOther].map((other) => refused(other.getChat({ chat_id: chat.id }))),
);
console.log('Other keys:', forbidden?.status, missing?.status);

// Idempotency keys: the client makes one for each call; here the program that lost an answer repeats its call.
const say = () =>
  client.sendAssistantMessage(
    { chat_id: chat.id, body: { message: 'We are open until six.' } },
    { idempotencyKey: `message-${phone}` },
  );
assert.deepEqual(await say(), await say());
console.log('Sent once under one key.');

// Webhooks
const name = `tour-${phone.slice(1)}`;
const webhookUrl = `${webhookSink}/hooks/${name}`;
const rule = await client.createEventRule({
  body: {
    name: 'Changes of members',
    eventType: 'member:updated',
    actionType: 'webhook:send',
    actionParams: { webhookUrl },
  },
});
const event_rule_id = rule.id;
await simulator('PUT', `${webhookUrl}/secret`, { secret: rule.actionParams.signingSecret });
await client.testEventRule({ event_rule_id });
await until(async () => {
  const received: { answered: string }[] = await simulator('GET', `${webhookSink}/deliveries?name=${name}`);
  return received.find(({ answered }) => answered === '200');
});
console.log('The sample arrived.');

const mishap = { answer: 'status', status: 503, chance: 1 };
await simulator('POST', `${webhookSink}/knobs`, { name, mishaps: [mishap] });
await client.updateMember({ member_id: member.id, body: { name: 'Alex Example' } });
const delivery = await until(async () => {
  const found = await client.listWebhookDeliveries({ event_rule_id, trigger: 'event', status: 'delivered' });
  return found.items[0];
});
const attempts: (number | null | undefined)[] = [];
const inDelivery = { event_rule_id, delivery_id: delivery.id };
for await (const attempt of client.each('listWebhookAttempts', inDelivery)) attempts.push(attempt.statusCode);
console.log('The attempts:', attempts.join(', '));

await client.redeliverEvent(inDelivery);
await until(async () => {
  const summary: { came: number } = await simulator('GET', `${webhookUrl}/summary`);
  return summary.came === 4 || undefined;
});
await client.deleteEventRule({ event_rule_id });
console.log('Delivered again.');

// Signing in
const mailbox = `${mailSimulator}/messages?to=${adminEmail}`;
await simulator('DELETE', `${mailSimulator}/messages`);
const person = createClient({ baseUrl });
const login = await person.requestLoginCode({ body: { email: adminEmail } });
const mail = await until<{ subject: string }>(async () =>
  (await simulator('GET', mailbox)).find(({ subject }: { subject: string }) => /sign-in code/.test(subject)),
);
await person.beginSession({ body: { loginCodeUuid: login.uuid, code: mail.subject.slice(0, 6) } });
const account = await person.getAccount();
assert.equal(account.email, adminEmail);
console.log('Signed in:', account.email);
await person.signOut();
assert.equal((await person.getAccount()).loggedIn, false);
console.log('Signed out.');

await client.updateWorkspace({ body: { allowedOrigins: ['https://app.example'] } });
console.log('Allowed an origin.');
