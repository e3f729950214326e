import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { selectAssignmentTasks } from '../../../db/assignments/assignment-tasks.js';
import { createAssignment } from '../../../domain/assignments/create-assignment.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { connect } from '../../../test/support/db/connect.js';
import { startCarrier } from '../../../test/support/simulators/simulated-carrier.js';
import { type SimulatedMail, startMail } from '../../../test/support/simulators/simulated-mail.js';
import {
  addPhoneNumber,
  conversationTasks,
  publishDefinition,
} from '../../../test/support/workspace/definitions.js';
import { addAssignment, addMember } from '../../../test/support/workspace/factories.js';
import { addRule } from '../deliver-webhooks/figure.js';
import { waitingTasks } from '../select-task/waiting-tasks.js';
import type { ProgramExtras } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { addAssistant, ask, sendJson } from '../support/ask.js';
import { reachedByCarrier } from '../support/carrier.js';
import type { Once, Operation } from './operation.js';

const startBoth = async (stage: Stage, { env, port }: ProgramExtras = { env: {} }) => {
  const own = port === undefined ? { env } : { env, port };
  const [api] = await Promise.all([stage.startApi(own), stage.startWorker({ env })]);
  return api;
};

/** How often the bench looks for an effect, as a superuser, whose statements do not count. */
const lookEveryMs = 20;

/** Waits until so many rows are there: `from` is what follows `select count(*)`. */
async function rowsOf(stage: Stage): Promise<(from: string, count: number) => Promise<void>> {
  const client: pg.Client = await connect(stage.superuserUrl);
  stage.whenClosed(() => client.end());
  return async (from, count) => {
    for (;;) {
      const { rows } = await client.query(`select count(*)::int as count ${from}`);
      if (rows[0].count >= count) return;
      await pause(lookEveryMs);
    }
  };
}

/** Members of a workspace with a phone number, each in a chat with the agent; few messages are in each. */
async function addTexters(stage: Stage, count: number) {
  const { workspace } = stage;
  const carrier = await startCarrier();
  stage.whenClosed(() => carrier.close());
  const reached = await reachedByCarrier(carrier.url);
  const assistantMemberId = await addAssistant(stage);
  const { id: phoneNumberId, number } = await addPhoneNumber(workspace, {
    smsEnabled: true,
    segmentsPerSecond: 1_000,
  });
  await carrier.route(number, reached.env.PUBLIC_URL);
  const texters: { chatId: number; phone: string }[] = [];
  for (let made = 0; made < count; made += 1) {
    const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
    const chat = { channel: 'phone-sms', memberId, phoneNumberId, assistantMemberId } as const;
    texters.push({ chatId: (await createChat(workspace.context(), chat)).id, phone: row.phone ?? '' });
  }
  const texter = (nth: number) => texters[nth % texters.length] ?? { chatId: 0, phone: '' };
  const write = (nth: number) => carrier.write(texter(nth).phone, number, 'Hello');
  return { reached, texter, write };
}

async function codeMailedTo(mail: SimulatedMail, address: string): Promise<string> {
  for (;;) {
    const [sent] = await mail.sentTo(address);
    if (sent !== undefined) return sent.subject.split(' ')[0] ?? '';
    await pause(lookEveryMs);
  }
}

const run = (
  name: string,
  title: string,
  prepare: (stage: Stage, total: number) => Promise<Once>,
): Operation => ({
  name,
  title,
  kind: 'run',
  prepare,
});

const texters = 20;
const delivered = `from deliveries where state = 'delivered'`;

/** What runs do after a request, by api, worker and the others together. */
export const runs: readonly Operation[] = [
  {
    name: 'receive-sms',
    title: 'Receive an SMS (the api alone)',
    kind: 'request',
    async prepare(stage) {
      const { reached, write } = await addTexters(stage, texters);
      await stage.startApi(reached);
      return write;
    },
  },
  run('answer-sms', 'Receive an SMS, answer it, and hear of its delivery', async (stage) => {
    const { reached, write } = await addTexters(stage, texters);
    await startBoth(stage, reached);
    const wait = await rowsOf(stage);
    return async (nth) => {
      await write(nth);
      await wait(delivered, nth + 1);
    };
  }),
  run('send-sms', 'Send an SMS, and hear of its delivery', async (stage) => {
    const { reached, texter } = await addTexters(stage, texters);
    const api = await startBoth(stage, reached);
    const wait = await rowsOf(stage);
    return async (nth) => {
      const path = `/chats/${texter(nth).chatId}/send-assistant-message`;
      await ask(stage, api, 'POST', path, { body: { message: 'Hello' } });
      await wait(delivered, nth + 1);
    };
  }),
  run('answer-message', 'Post a message in a web chat, and answer it', async (stage) => {
    const { member } = stage.workspace;
    const assistantMemberId = await addAssistant(stage);
    const chats: number[] = [];
    for (let made = 0; made < texters; made += 1) {
      const chat = { channel: 'web-chat', assistantMemberId } as const;
      chats.push((await createChat(stage.workspace.context(member), chat)).id);
    }
    const api = await startBoth(stage);
    const wait = await rowsOf(stage);
    return async (nth) => {
      const path = `/chats/${chats[nth % texters]}/messages`;
      await ask(stage, api, 'POST', path, { apiKey: member.apiKey, body: { content: 'Hello' } });
      await wait(`from messages where role = 'assistant'`, nth + 1);
    };
  }),
  run('deliver-webhook', 'Update a member, and deliver the event to a receiver', async (stage) => {
    const receiver = await stage.startScript(new URL('../deliver-webhooks/receiver.ts', import.meta.url));
    await addRule(stage, receiver.url);
    const api = await startBoth(stage, { env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
    const wait = await rowsOf(stage);
    return async (nth) => {
      const body = { description: `Prefers morning ${nth}` };
      await ask(stage, api, 'PUT', `/members/${stage.workspace.member.memberId}`, { body });
      await wait(`from webhook_deliveries where status = 'delivered'`, nth + 1);
    };
  }),
  run('select-task', 'Select a task', async (stage) => {
    const { database, workspace } = stage;
    const { assignment } = await addAssignment(workspace, { rootTask: waitingTasks });
    const rows = await database.inWorkspace(workspace.workspaceId, (tx) =>
      selectAssignmentTasks(tx, assignment.id),
    );
    const tasks = rows.filter(({ parentId }) => parentId !== null).map(({ id }) => id);
    const api = await startBoth(stage);
    return (nth) =>
      ask(stage, api, 'PUT', `/assignments/${assignment.id}/tasks/${tasks[nth % tasks.length]}/select`);
  }),
  run('start-assignment', 'Start an assignment, until the agent has spoken', async (stage) => {
    const { memberId } = stage.workspace.admin;
    await addAssistant(stage);
    const { workflowId } = await publishDefinition(stage.workspace, conversationTasks());
    const api = await startBoth(stage);
    const wait = await rowsOf(stage);
    return async (nth) => {
      await ask(stage, api, 'POST', '/chats', { body: { channel: 'web-chat', memberId, workflowId } });
      await wait('from chats where message_count > 0', nth + 1);
    };
  }),
  run('sign-in', 'Sign in by a code that is mailed', async (stage, total) => {
    const mail = await startMail();
    stage.whenClosed(() => mail.close());
    const addressOf = (nth: number) => `person-${nth}@example.com`;
    for (let nth = 0; nth < total; nth += 1) {
      await stage.database.identity.accounts.create({ name: 'Someone', email: addressOf(nth) });
    }
    const env = {
      SMTP_URL: mail.smtpUrl,
      MAIL_FROM: 'Clinic <clinic@example.com>',
      LOGIN_CODES_PER_HOUR: '10000',
    };
    const api = await startBoth(stage, { env });
    return async (nth) => {
      const email = addressOf(nth);
      const { uuid } = JSON.parse(await sendJson(`${api.url}/api/v2/login-codes`, 'POST', { email }));
      const code = await codeMailedTo(mail, email);
      await sendJson(`${api.url}/api/v2/sessions`, 'POST', { loginCodeUuid: uuid, code });
    };
  }),
  run('end-assignment', 'Cancel an assignment', async (stage, total) => {
    const { workspace } = stage;
    const { workflowId } = await publishDefinition(workspace, waitingTasks);
    const assignments: number[] = [];
    for (let made = 0; made < total; made += 1) {
      const { memberId } = await addMember(workspace, { role: workspace.roles.member });
      assignments.push((await createAssignment(workspace.context(), { workflowId, memberId })).id);
    }
    const api = await startBoth(stage);
    const wait = await rowsOf(stage);
    await wait('from assignments where current_task_id is not null', total);
    return (nth) => ask(stage, api, 'POST', `/assignments/${assignments[nth]}/cancel`, { body: {} });
  }),
];
