import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { intakeDataType } from '../../tools/dev/seed/clinic-intake.js';
import { useDatabase } from '../support/db/use-database.js';
import { waitFor } from '../support/lib/wait-for.js';
import { recordsOfMember } from '../support/records/records-of-member.js';
import { type ServiceProcess, startWorkerProcess } from '../support/run/service-process.js';
import { calling } from '../support/simulators/simulated-model.js';
import { startSystem } from '../support/system/system.js';
import { useSmsWorkspace } from '../support/system/use-sms-workspace.js';
import { talk } from '../workflows/small-trees.js';
import { startWithholdingProxy } from './withholding-proxy.js';

const notedWithinMs = 60_000;

const workers: ServiceProcess[] = [];

const testDatabase = useDatabase();
const { system, workspace } = useSmsWorkspace(() =>
  startSystem({ testDatabase, relay: false, worker: false }),
);

beforeAll(() => workspace.addDataType(intakeDataType));
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
});

async function startWorker(carrierUrl = system.carrier.url): Promise<ServiceProcess> {
  const publicUrl = system.api.baseUrl;
  const worker = await startWorkerProcess({ system, testDatabase, publicUrl, carrierUrl });
  workers.push(worker);
  return worker;
}

describe('a killed worker', { timeout: 120_000 }, () => {
  it('during a model call leaves the turn to another one, which sends one reply', async () => {
    const first = await startWorker();
    const chat = await workspace.openChat();
    const name = chat.texter.row.name ?? '';
    await system.model.script([{ hold: true }], name);
    await chat.write('hello');
    await system.model.held();

    await first.kill();
    await startWorker();

    await waitFor('it is answered', async () => (await chat.said('assistant')).length > 0, notedWithinMs);
    await chat.settled();
    expect(await chat.said('assistant')).toEqual(['You wrote: hello. How can I help you?']);
    expect(await chat.carried()).toHaveLength(1);
    expect(await system.model.requests(name)).toHaveLength(2);
  });

  it('after a tool call leaves the tool’s effects once, and one reply is sent', async () => {
    const first = await startWorker();
    const texter = await workspace.addTexter();
    const config = { dataTypeSlug: 'intake', fieldSlugs: ['reason'] };
    const abilities = [{ abilityType: 'handoff' }, { abilityType: 'save_data', config }];
    const definitionId = await workspace.publish(talk('Ask', 'Tell me.', { abilities }));
    const assignment = await workspace.begin(definitionId, texter);
    await waitFor('it began', async () => (await assignment.said('assistant')).length > 0, notedWithinMs);
    const replies = [calling('save_data', { reason: 'A sore knee' }), { hold: true }, { content: 'Noted.' }];
    await system.model.script(replies, texter.row.name ?? '');
    await assignment.write('my knee');
    await system.model.held();

    await first.kill();
    await startWorker();

    const said = () => assignment.said('assistant');
    await waitFor('it is answered', async () => (await said()).includes('Noted.'), notedWithinMs);
    await assignment.settled();
    expect(await assignment.said('assistant')).toEqual(['Tell me.', 'Noted.']);
    expect(await assignment.carried()).toEqual(['Tell me.', 'Noted.']);
    expect((await assignment.history()).filter(({ role }) => role === 'tool')).toHaveLength(1);
    const records = () =>
      system.database.inWorkspace(workspace.workspaceId, (tx) => recordsOfMember(tx, texter.memberId));
    expect((await records()).map(({ fieldValues }) => fieldValues)).toEqual([{ reason: 'A sore knee' }]);
  });

  it('before the carrier’s response leaves the message sent once, with its outcome known', async () => {
    const proxy = await startWithholdingProxy(system.carrier.url);
    onTestFinished(() => proxy.close());
    const first = await startWorker(proxy.url);
    const chat = await workspace.openChat();
    await chat.post('once only');
    await waitFor('the carrier has taken it', () => proxy.withheld() > 0);

    await first.kill();
    await startWorker();

    await chat.settled();
    expect(await chat.carried()).toEqual(['once only']);
    expect((await chat.history()).map(({ smsDeliveryStatus }) => smsDeliveryStatus)).toEqual(['delivered']);
  });
});
