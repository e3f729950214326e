import { selectRecentHistory } from '../../../db/conversations/messages.js';
import { messageText } from '../../../domain/channels/message-text.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { addPhoneNumber } from '../../../test/support/workspace/definitions.js';
import { addMember } from '../../../test/support/workspace/factories.js';
import { freePort } from '../../dev/provision/ports.js';
import type { Call } from '../../simulators/carrier/calls/call-store.js';
import type { Step } from '../../simulators/carrier/calls/plan.js';
import {
  DEFAULT_ACCOUNT_SID,
  DEFAULT_AUTH_TOKEN,
  startCarrierSimulator,
} from '../../simulators/carrier/start-carrier-simulator.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { storageFolderOf } from '../support/add-file.js';
import { addAssistant } from '../support/ask.js';
import { type MemoryProbe, memoryProbe } from '../support/memory-probe.js';

/** What the api tells of a call, as far as it matters here. */
export interface PhoneCall {
  id: number;
  status: string;
  terminationReason?: string;
  failureDetail?: string;
  durationSeconds?: number;
  credits: number;
  finishedAt?: string;
}

/** The whole service with a simulated carrier, and a member whose phone follows a script. */
export interface Telephone {
  media: StageProcess;
  memory: MemoryProbe;
  chatId: number;
  /** Calls the member. @returns the id of the call */
  place(): Promise<number>;
  call(id: number): Promise<PhoneCall>;
  atCarrier(): Promise<Call>;
  recording(): Promise<Buffer>;
  messages(): Promise<{ role: string; text: string }[]>;
  /** How many sessions of the model there were. */
  sessions(): Promise<number>;
  close(): Promise<void>;
}

/** A caller and an agent who ask and answer without a pause for two hours say less. */
const maxMessages = 10_000;

export async function startTelephone(stage: Stage, script: Step[]): Promise<Telephone> {
  const { workspace, modelUrl } = stage;
  const [carrier, memory, port] = await Promise.all([
    startCarrierSimulator({ port: 0 }),
    memoryProbe(),
    freePort(),
  ]);
  const shared = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    STORAGE_FOLDER: storageFolderOf(stage),
    TWILIO_ACCOUNT_SID: DEFAULT_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: DEFAULT_AUTH_TOKEN,
    TWILIO_API_BASE_URL: carrier.url,
  };
  const media = await stage.startMedia({ ...memory.extras, env: { ...memory.extras.env, ...shared } });
  const env = { ...shared, MEDIA_PUBLIC_URL: media.publicUrl };
  const [api] = await Promise.all([stage.startApi({ env, port }), stage.startWorker({ env })]);

  await addAssistant(stage);
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
  const { id: chatId } = await createChat(workspace.context(), { channel: 'web-chat', memberId });
  const handset = encodeURIComponent(row.phone ?? '');
  const ask = async (path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${api.url}/api/v2${workspace.path(path)}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${workspace.admin.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const told = async <T>(response: Promise<Response>) => (await (await response).json()) as T;
  await fetch(`${carrier.url}/simulator/handsets/${handset}/plans`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ answeredBy: 'human', script }]),
  });
  return {
    media,
    memory,
    chatId,
    place: async () =>
      (await told<PhoneCall>(ask(`/chats/${chatId}/outbound-call`, { phoneNumberId, chatId }))).id,
    call: (id) => told(ask(`/phone-calls/${id}`)),
    async atCarrier() {
      const calls = await told<Call[]>(fetch(`${carrier.url}/simulator/calls?handset=${handset}`));
      const [call] = calls;
      if (call === undefined) throw new Error('the carrier has no call');
      return call;
    },
    recording: async () =>
      Buffer.from(await (await ask(`/recordings/chat/${chatId}/audio.wav`)).arrayBuffer()),
    async messages() {
      const rows = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
        selectRecentHistory(tx, chatId, maxMessages),
      );
      return rows.map(({ role, content }) => ({ role, text: messageText(content ?? '') }));
    },
    sessions: async () => (await told<{ count: number }>(fetch(`${modelUrl}/realtime/sessions`))).count,
    close: () => carrier.close(),
  };
}
