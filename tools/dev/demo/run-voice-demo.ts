import { randomInt } from 'node:crypto';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { frontDesk } from '../seed/clinic-intake.js';
import { type ApiClient, adminClient, DemoError } from './api-client.js';
import { askSimulator } from './ask-simulator.js';
import { beginWalk, findWorkflow } from './begin-walk.js';
import { type CarriedMessage, CorrespondenceWalk, type Correspondent } from './correspondence-walk.js';
import { printCallOutcome } from './print-call-outcome.js';
import { printResult } from './print-result.js';

/** How much of the greeting the member hears before it interrupts with its question. */
const heardOfGreetingMs = 2_200;
const question = 'When does the clinic answer calls?';
const wish = 'Please connect me with the front desk';

/**
 * Calls a new member, who goes through the clinic's intake on the phone: it interrupts the greeting, and wants to be transferred to a
 * desk whose phone is busy. @returns the final status of the assignment */
export async function runVoiceDemo(dev: DevFile): Promise<string> {
  const { carrierSimulator } = dev;
  if (carrierSimulator === null) {
    throw new DemoError('The voice demo needs the carrier simulator, but a real carrier is configured.');
  }
  const admin = adminClient(dev);
  const number = `+1555${randomInt(2_000_000, 9_000_000)}`;
  const script = [{ untilStream: 1 }, { untilHears: heardOfGreetingMs }, { say: { words: question } }];
  const plan = (handset: string, how: object) =>
    askSimulator('PUT', `${carrierSimulator}/simulator/handsets/${encodeURIComponent(handset)}/plans`, [how]);
  await plan(number, { afterMs: 500, answeredBy: 'human', script });
  await plan(frontDesk.phoneNumber, { outcome: 'busy', afterMs: 1_000 });
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', {
    name: 'Robin Sample',
    phone: number,
  });
  const workflow = await findWorkflow(admin, intakeName);
  const chat = { channel: 'phone-voice', memberId };
  const { chatId, read } = await beginWalk(dev, { as: admin, admin, workflow, chat, how: 'on the phone' });
  const ended = await new CorrespondenceWalk(
    new Phone(carrierSimulator, number, chatId, admin),
    admin,
    read,
  ).toItsEnd();
  await printResult(dev, admin, ended);
  await printCallOutcome(dev, admin, chatId);
  return ended.status;
}

interface StoredMessage {
  id: string;
  role: string;
  content: string | null;
  created_at: string;
  originalContent?: string;
  tool_calls: object[];
}

/** The member's phone: what the agent says is read from the transcript, and the answers are spoken. */
class Phone implements Correspondent {
  readonly settledStatus = 'heard';
  #hasWished = false;

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
      .map(({ content, created_at, originalContent }, index) => ({
        sequence: index,
        from: '',
        body: shown(content ?? '', originalContent),
        status: this.settledStatus,
        createdAt: created_at,
      }));
  }

  /** Before it says what brings it, the member would rather talk to the desk. */
  answerTo(body: string): string | undefined {
    if (this.#hasWished || !/reason for the visit/i.test(body)) return undefined;
    this.#hasWished = true;
    return wish;
  }

  async answer(words: string): Promise<void> {
    const calls = await askSimulator<{ sid: string }[]>(
      'GET',
      `${this.carrier}/simulator/calls?handset=${encodeURIComponent(this.number)}`,
    );
    const sid = calls.at(-1)?.sid;
    if (sid === undefined) throw new DemoError('The phone of the member has no call.');
    await askSimulator('POST', `${this.carrier}/simulator/calls/${sid}/script`, [{ say: { words } }]);
  }
}

function shown(heard: string, original: string | undefined): string {
  return original === undefined || original === heard ? heard : `${heard}… (interrupted: “${question}”)`;
}
