import { sign } from '../../../tools/simulators/carrier/post-webhook.js';
import { speak } from '../../../tools/simulators/support/spoken.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { calling } from '../../support/simulators/simulated-model.js';
import { planted } from '../markers.js';
import type { Stage } from '../stage.js';
import type { Configured } from './configure.js';

const pinSlug = 'called_pin';

/** Asks for a secret by keys, then talks and may transfer the call. */
const tasks = {
  name: planted('taskName'),
  taskType: 'collect',
  prompt: planted('prompt'),
  configuration: { dataTypeSlug: pinSlug, fieldSlugs: ['pin'] },
  autoNext: true,
  children: [
    {
      name: 'Talk',
      taskType: 'conversation',
      prompt: planted('prompt'),
      abilities: [
        { abilityType: 'handoff' },
        {
          abilityType: 'forward_call',
          config: {
            targets: [{ name: planted('transferName'), phoneNumber: planted('transferPhone') }],
            ringSeconds: 20,
          },
        },
      ],
    },
  ],
};

/**
 * A member is called: it enters a secret by keys, is transferred to a phone that is busy, and talks. A stranger calls, a
 * number is refused by the carrier, and reports come with something else in their fields.
 */
export async function talkOnThePhone(stage: Stage, { phoneNumberId, roleId }: Configured): Promise<void> {
  const admin = stage.as();
  const { carrier, model } = stage.system;
  await admin('PUT', `/phone-numbers/${phoneNumberId}`, { voiceEnabled: true });
  const urls = `${stage.api.baseUrl}/api/v2/carrier-calls`;
  await carrier.calls.route(planted('workspaceNumber'), {
    voiceUrl: `${urls}/inbound`,
    voiceStatusUrl: `${urls}/status`,
  });
  await admin('POST', '/data-types', {
    name: planted('dataTypeName'),
    slug: pinSlug,
    isCollection: false,
    fields: [{ slug: 'pin', name: planted('fieldName'), fieldType: 'text', required: true, sensitive: true }],
  });
  const workflowId = await publish(stage);
  const callee = { name: planted('calleeName'), phone: planted('calleePhone'), memberRoleId: roleId };
  const { id: memberId } = await admin('POST', '/members', callee);
  await carrier.calls.plan(planted('transferPhone'), { outcome: 'busy' });
  await carrier.calls.plan(planted('calleePhone'), {
    script: [
      { untilStream: 1 },
      { untilHears: 200 },
      { untilQuiet: 400 },
      { keys: `${planted('pressedKeys')}#` },
      { untilStream: 2 },
      { untilHears: 200 },
      { untilQuiet: 400 },
      { say: { base64: speak(planted('spokenWords')).toString('base64') } },
      { untilHears: 200 },
      { wait: 300 },
      { hangUp: true },
    ],
  });
  const says = { content: planted('agentSpokenWords') };
  const transfer = {
    ...says,
    ...calling('forward_call', { target: planted('transferName'), facts: planted('transferFacts') }),
  };
  await model.script([says, transfer, says, says], planted('calleeName'));
  const place = { channel: 'phone-voice', workflowId, memberId, phoneNumberId };
  const chat = await admin('POST', '/chats', place);
  const [call] = await ended(stage, chat.id);
  if (call?.terminationReason !== 'forward')
    throw new Error(`the call ended otherwise: ${JSON.stringify(call)}`);
  await admin('GET', '/phone-calls', undefined, 200, { memberId });
  await admin('GET', `/phone-calls/${call.id}`);
  await sendStrangeReports(stage, call.uuid);

  await carrier.turn({ handset: planted('calleePhone'), refuse: { code: 21211, rate: 1 } });
  await admin('POST', `/chats/${chat.id}/outbound-call`, { phoneNumberId, chatId: chat.id });
  await ended(stage, chat.id);
  await stage.raw()('POST', `/chats/${chat.id}/outbound-call`, { phoneNumberId: planted('refused') });

  const script = [{ untilStream: 1 }, { untilHears: 200 }, { hangUp: true as const }];
  await carrier.calls.ring(planted('callerPhone'), planted('workspaceNumber'), { script });
  await carrier.calls.ended(planted('callerPhone'));
}

async function publish(stage: Stage): Promise<number> {
  const admin = stage.as();
  const { id } = await admin('POST', '/workflows', { name: planted('definitionName') });
  const revision = await admin('POST', `/workflows/${id}/revisions`, { rootTask: tasks });
  await admin('POST', `/workflows/${id}/revisions/${revision.id}/publish`, {}, 200);
  return id;
}

interface EndedCall {
  id: number;
  uuid: string;
  terminationReason: string | null;
}

/** The calls of a chat, newest first, once all have ended. */
async function ended({ superuser }: Stage, chatId: number): Promise<EndedCall[]> {
  return waitFor(
    'the call has ended',
    async () => {
      const { rows } = await superuser.query(
        `select id, uuid, termination_reason as "terminationReason", finished_at is not null as over
         from phone_calls where chat_id = $1 order by id desc`,
        [chatId],
      );
      return rows.length > 0 && rows.every(({ over }) => over) && rows;
    },
    90_000,
  );
}

async function sendStrangeReports(stage: Stage, callUuid: string): Promise<void> {
  const word = planted('carrierField');
  const base = `/w/${stage.workspace.workspaceUuid}/carrier-calls/${callUuid}`;
  const fields = {
    CallSid: word,
    CallStatus: word,
    ParentCallSid: word,
    DialCallStatus: word,
    SessionStatus: word,
    StreamSid: word,
    StreamEvent: word,
    From: word,
    To: planted('workspaceNumber'),
  };
  const paths = [
    'status',
    'continue',
    'stream-status',
    `transfers/${word}/result`,
    `transfers/${word}/announcement`,
  ];
  for (const path of [
    ...paths.map((name) => `${base}/${name}`),
    '/carrier-calls/inbound',
    '/carrier-calls/status',
  ]) {
    for (const form of [fields, { ...fields, CallSid: word.repeat(20) }]) {
      const { authToken } = stage.system.carrier.credentials;
      const signature = sign(authToken, `${stage.api.baseUrl}/api/v2${path}`, form);
      for (const given of [signature, word]) {
        await stage.api.request('POST', path, { form, headers: { 'X-Twilio-Signature': given } });
      }
    }
  }
}
