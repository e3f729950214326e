import { randomInt } from 'node:crypto';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { type ApiClient, adminClient, DemoError } from './api-client.js';
import { beginWalk, findWorkflow } from './begin-walk.js';
import { type CarriedMessage, CorrespondenceWalk, type Correspondent } from './correspondence-walk.js';
import { printCall } from './print-call.js';
import { printResult } from './print-result.js';

/** Calls a new member, who goes through the clinic's intake on the phone. @returns the final status of the assignment */
export async function runVoiceDemo(dev: DevFile): Promise<string> {
  if (dev.carrierSimulator === null) {
    throw new DemoError('The voice demo needs the carrier simulator, but a real carrier is configured.');
  }
  const admin = adminClient(dev);
  const number = `+1555${randomInt(2_000_000, 10_000_000)}`;
  await ask(dev.carrierSimulator, 'PUT', `/simulator/handsets/${encodeURIComponent(number)}/plans`, [
    { afterMs: 500, answeredBy: 'human' },
  ]);
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', {
    name: 'Robin Sample',
    phone: number,
  });
  const workflow = await findWorkflow(admin, intakeName);
  const chat = { channel: 'phone-voice', memberId };
  const { chatId, read } = await beginWalk(dev, { as: admin, admin, workflow, chat, how: 'on the phone' });
  const ended = await new CorrespondenceWalk(
    new Phone(dev.carrierSimulator, number, chatId, admin),
    admin,
    read,
  ).toItsEnd();
  await printResult(dev, admin, ended);
  await printCall(dev, admin, chatId);
  return ended.status;
}

interface StoredMessage {
  id: string;
  role: string;
  content: string | null;
  created_at: string;
  tool_calls: object[];
}

/** The member's phone: what the agent says is read from the transcript, and the answers are spoken. */
class Phone implements Correspondent {
  readonly settledStatus = 'heard';

  constructor(
    readonly carrier: string,
    readonly number: string,
    readonly chatId: number,
    readonly admin: ApiClient,
  ) {}

  async messages(): Promise<CarriedMessage[]> {
    const messages = await this.admin<StoredMessage[]>('GET', `/chats/${this.chatId}/messages?limit=100`);
    return messages
      .filter(({ role, content }) => role === 'assistant' && typeof content === 'string' && content !== '')
      .sort((one, other) => one.created_at.localeCompare(other.created_at))
      .map(({ content, created_at }, index) => ({
        sequence: index,
        from: '',
        body: content ?? '',
        status: this.settledStatus,
        createdAt: created_at,
      }));
  }

  async answer(words: string): Promise<void> {
    const calls = await ask<{ sid: string; status: string }[]>(
      this.carrier,
      'GET',
      `/simulator/calls?handset=${encodeURIComponent(this.number)}`,
    );
    const sid = calls.at(-1)?.sid;
    if (sid === undefined) throw new DemoError('The phone of the member has no call.');
    await ask(this.carrier, 'POST', `/simulator/calls/${sid}/script`, [{ say: { words } }]);
  }
}

async function ask<Body>(carrier: string, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(carrier + path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new DemoError(`The simulated carrier answered ${response.status}.`);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}
