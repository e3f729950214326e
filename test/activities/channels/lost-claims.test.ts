import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { deliveryActivities } from '../../../activities/channels/deliveries.js';
import type { ActivityDependencies } from '../../../activities/kernel/dependencies.js';
import type { Database } from '../../../db/database.js';
import type { OutgoingSms } from '../../../providers/carrier/carrier.js';
import { useDeliveries } from '../../support/chats/use-deliveries.js';
import { testEncryption } from '../../support/lib/encryption.js';

const { workspace, clock, stage } = useDeliveries();

/** A database that goes away before it answers the first commit, and comes back after that time. */
function awayFor(ms: number): Pick<Database, 'identity' | 'inWorkspace' | 'readInWorkspace'> {
  const { database } = workspace;
  let backAt: number | undefined;
  const lost = () => Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });
  return {
    identity: database.identity,
    readInWorkspace: (workspaceId, work) => database.readInWorkspace(workspaceId, work),
    async inWorkspace(workspaceId, work) {
      if (backAt !== undefined && Date.now() < backAt) throw lost();
      const value = await database.inWorkspace(workspaceId, work);
      if (backAt !== undefined) return value;
      backAt = Date.now() + ms;
      throw lost();
    },
  };
}

it('a message is sent whose claim was committed as the database restarted', { timeout: 30_000 }, async () => {
  const { message } = await stage.write('Hello');
  const sent: OutgoingSms[] = [];
  const carrier = {
    async sendSms(sms: OutgoingSms) {
      sent.push(sms);
      return { carrierMessageId: 'SM1', status: 'queued' };
    },
  };
  const activities = deliveryActivities({
    db: awayFor(4_000),
    clock,
    carrier,
    webhooks: { encryption: testEncryption },
    publicUrl: 'https://service.example.com',
  } as unknown as ActivityDependencies);
  const input = { workspaceId: workspace.workspaceId, chatId: stage.chatId };

  await new MockActivityEnvironment().run(activities.deliverNext, input);

  expect(sent).toMatchObject([{ body: 'Hello' }]);
  expect(await stage.delivery(message.uuid)).toMatchObject({ state: 'sent', attempts: 1 });
});
