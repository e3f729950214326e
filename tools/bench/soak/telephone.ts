import { selectRecentHistory } from '../../../db/conversations/messages.js';
import { messageText } from '../../../domain/channels/message-text.js';
import { createChat } from '../../../domain/conversations/chats/create-chat.js';
import { addPhoneNumber } from '../../../test/support/workspace/definitions.js';
import { addMember } from '../../../test/support/workspace/factories.js';
import { type MemoryProbe, memoryProbe } from '../../dev/memory/memory-probe.js';
import type { Call } from '../../simulators/carrier/calls/call-store.js';
import type { Step } from '../../simulators/carrier/calls/plan.js';
import { startCarrierSimulator } from '../../simulators/carrier/start-carrier-simulator.js';
import type { StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { storageFolderOf } from '../support/add-file.js';
import { addAssistant, ask, send, sendJson } from '../support/ask.js';
import { reachedByCarrier } from '../support/carrier.js';

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
}

/** A caller and an agent who ask and answer without a pause for two hours say less. */
const maxMessages = 10_000;

export async function startTelephone(stage: Stage, script: Step[]): Promise<Telephone> {
  const { workspace, modelUrl } = stage;
  const [carrier, memory] = await Promise.all([startCarrierSimulator({ port: 0 }), memoryProbe()]);
  stage.whenClosed(() => carrier.close());
  const { port, env: reached } = await reachedByCarrier(carrier.url);
  const shared = { ...reached, STORAGE_FOLDER: storageFolderOf(stage) };
  const media = await stage.startMedia({ ...memory.extras, env: { ...memory.extras.env, ...shared } });
  const env = { ...shared, MEDIA_PUBLIC_URL: media.publicUrl };
  const [api] = await Promise.all([stage.startApi({ env, port }), stage.startWorker({ env })]);

  await addAssistant(stage);
  const { id: phoneNumberId } = await addPhoneNumber(workspace, { voiceEnabled: true });
  const { memberId, row } = await addMember(workspace, { role: workspace.roles.member });
  const { id: chatId } = await createChat(workspace.context(), { channel: 'web-chat', memberId });
  const handset = encodeURIComponent(row.phone ?? '');
  const onPhone = async <T>(path: string) => JSON.parse(await send(`${carrier.url}/simulator${path}`)) as T;
  const atCarrier = async () => {
    const [call] = await onPhone<Call[]>(`/calls?handset=${handset}`);
    if (call === undefined) throw new Error('the carrier has no call');
    return call;
  };
  const plans = [{ answeredBy: 'human', script }];
  await sendJson(`${carrier.url}/simulator/handsets/${handset}/plans`, 'PUT', plans);
  return {
    media,
    memory,
    chatId,
    async place() {
      const body = { phoneNumberId, chatId };
      return (await ask<PhoneCall>(stage, api, 'POST', `/chats/${chatId}/outbound-call`, { body })).id;
    },
    call: (id) => ask(stage, api, 'GET', `/phone-calls/${id}`),
    atCarrier,
    async recording() {
      const response = await fetch(
        `${api.url}/api/v2${workspace.path(`/recordings/chat/${chatId}/audio.wav`)}`,
        { headers: { authorization: `Bearer ${workspace.admin.apiKey}` } },
      );
      if (!response.ok) throw new Error(`the recording was answered ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    },
    async messages() {
      const rows = await workspace.database.inWorkspace(workspace.workspaceId, (tx) =>
        selectRecentHistory(tx, chatId, maxMessages),
      );
      return rows.map(({ role, content }) => ({ role, text: messageText(content ?? '') }));
    },
    sessions: async () => JSON.parse(await send(`${modelUrl}/realtime/sessions`)).count,
  };
}
