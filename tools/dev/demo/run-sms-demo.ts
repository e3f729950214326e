import { randomInt } from 'node:crypto';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { clinicNumber } from '../seed/configure-simulators.js';
import { adminClient, DemoError } from './api-client.js';
import { askSimulator } from './ask-simulator.js';
import { beginWalk, findWorkflow } from './begin-walk.js';
import { type CarriedMessage, CorrespondenceWalk, type Correspondent } from './correspondence-walk.js';
import { printResult } from './print-result.js';

/** Takes a new member through the clinic's intake by SMS. @returns the final status of the assignment */
export async function runSmsDemo(dev: DevFile): Promise<string> {
  if (dev.carrierSimulator === null) {
    throw new DemoError('The SMS demo needs the carrier simulator, but a real carrier is configured.');
  }
  const admin = adminClient(dev);
  const handset = new Handset(dev.carrierSimulator, `+1555${randomInt(2_000_000, 9_000_000)}`);
  const member = { name: 'Robin Sample', phone: handset.number };
  const { id: memberId } = await admin<{ id: number }>('POST', '/members', member);
  const workflow = await findWorkflow(admin, intakeName);
  const chat = { channel: 'phone-sms', memberId };
  const { read } = await beginWalk(dev, { as: admin, admin, workflow, chat, how: 'by SMS' });
  const ended = await new CorrespondenceWalk(handset, admin, read).toItsEnd();
  await printResult(dev, admin, ended);
  return ended.status;
}

class Handset implements Correspondent {
  readonly settledStatus = 'delivered';

  constructor(
    readonly carrier: string,
    readonly number: string,
  ) {}

  async messages(): Promise<CarriedMessage[]> {
    const query = new URLSearchParams({ handset: this.number });
    const url = `${this.carrier}/simulator/messages?${query}`;
    const messages = await askSimulator<CarriedMessage[]>('GET', url);
    // The member's own messages are printed when they are written.
    return messages.filter(({ from }) => from === clinicNumber);
  }

  async answer(body: string): Promise<void> {
    const url = `${this.carrier}/simulator/handsets/${encodeURIComponent(this.number)}/messages`;
    await askSimulator('POST', url, { to: clinicNumber, body });
  }
}
