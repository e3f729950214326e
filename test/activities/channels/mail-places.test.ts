import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveryActivities } from '../../../activities/channels/deliveries.js';
import type { ActivityDependencies } from '../../../activities/kernel/dependencies.js';
import type { InboxRow } from '../../../db/channels/inboxes.js';
import type { EmailRelay } from '../../../providers/mail/email-relay.js';
import { emailsAtOnce } from '../../../providers/mail/mail-places.js';
import type { DeliveryStep } from '../../../workflows/contracts/steps.js';
import { type EmailStage, type QueuedEmail, stageEmails } from '../../support/chats/email-stage.js';
import { testEncryption } from '../../support/lib/encryption.js';
import { hours, MovedClock } from '../../support/lib/moved-clock.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { createWorkspace, type TestWorkspace } from '../../support/workspace/factories.js';
import { addInbox, testInboxDomain } from '../../support/workspace/inboxes.js';
import { useWorkspace } from '../../support/workspace/use-workspace.js';

const { workspace } = useWorkspace();
const waiting = 12;

/** The server at port 2525 hangs until the test releases it; the relay and other servers take everything. */
class Relay implements EmailRelay {
  sent = 0;
  hanging = 0;
  release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve;
  });

  async send(_: unknown, server?: { port: number }) {
    if (server?.port === 2525) {
      this.hanging += 1;
      await this.#released;
    }
    this.sent += 1;
    return {};
  }
}

let clock: MovedClock;
let relay: Relay;
let deliverNext: (email: Queued) => Promise<DeliveryStep>;
beforeEach(() => {
  clock = new MovedClock();
  relay = new Relay();
  const email = { relay, domain: testInboxDomain };
  const activities = deliveryActivities({
    db: workspace.database,
    clock,
    email,
    webhooks: { encryption: testEncryption },
    publicUrl: 'https://service.example.com',
  } as unknown as ActivityDependencies);
  deliverNext = ({ workspaceId, stage: { chatId } }) =>
    new MockActivityEnvironment().run(activities.deliverNext, { workspaceId, chatId });
});
afterEach(() => relay.release());

interface Queued {
  workspaceId: number;
  stage: EmailStage;
  email: QueuedEmail;
}

async function queue(of: TestWorkspace, inbox: InboxRow): Promise<Queued> {
  const stage = await stageEmails(of, clock, { inbox });
  return { workspaceId: of.workspaceId, stage, email: await stage.write('Hello') };
}

const inboxAt = (of: TestWorkspace, port: number) =>
  addInbox(of, { smtp: { host: '127.0.0.1', port, security: 'none' } });
const deliveryOf = async ({ stage, email }: Queued) => (await stage.queued(email.message.uuid)).delivery;

/** Emails to the server that hangs, of which as many are under way as it has places. */
async function hangingEmails(): Promise<{ emails: Queued[]; underWay: Promise<DeliveryStep>[] }> {
  const inbox = await inboxAt(workspace, 2525);
  const emails: Queued[] = [];
  for (let count = 0; count < waiting; count += 1) emails.push(await queue(workspace, inbox));
  const most = emailsAtOnce.otherServers.ofWorkspace;
  const underWay = emails.slice(0, most).map(deliverNext);
  await waitFor('it hangs', () => relay.hanging === most);
  return { emails, underWay };
}

describe('a mail server that hangs', () => {
  it('does not delay the emails of another workspace, and those that wait for it are not claimed', async () => {
    const other = await createWorkspace(workspace.database, {});
    const [byItsServer, byRelay] = [
      await queue(other, await inboxAt(other, 2526)),
      await queue(other, await addInbox(other)),
    ];
    const { emails, underWay } = await hangingEmails();

    const steps = await Promise.all(emails.slice(underWay.length).map(deliverNext));
    await deliverNext(byItsServer);
    await deliverNext(byRelay);

    expect(relay.hanging).toBe(underWay.length);
    expect(await deliveryOf(byItsServer)).toMatchObject({ state: 'sent' });
    expect(await deliveryOf(byRelay)).toMatchObject({ state: 'sent' });
    for (const [index, email] of emails.slice(underWay.length).entries()) {
      const delivery = await deliveryOf(email);
      expect(delivery).toMatchObject({ state: 'queued', attempts: 0, claimedAt: null });
      expect(steps[index]).toMatchObject({ kind: 'wait', until: Number(delivery.notBefore) });
    }
    relay.release();
    await Promise.all(underWay);
    expect(await deliveryOf(emails[0] as Queued)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('is asked for a place seldom, and what waits is sent once it answers, or expires', async () => {
    const { emails, underWay } = await hangingEmails();
    const [late, ...others] = emails.slice(underWay.length) as [Queued, ...Queued[]];
    let tries = 0;
    const end = clock.now().getTime() + hours(12);
    for (const email of others) {
      const started = clock.now().getTime();
      let step = await deliverNext(email);
      while (step.kind === 'wait' && step.until < end) {
        tries += 1;
        clock.advance(step.until - clock.now().getTime());
        step = await deliverNext(email);
      }
      clock.advance(started - clock.now().getTime());
    }

    // In 12 hours, at least every quarter of an hour, and more often in the first minutes.
    expect(tries / others.length).toBeLessThan(12 * 6 + 20);
    expect(tries / others.length).toBeGreaterThan(12 * 4 - 1);
    relay.release();
    await Promise.all(underWay);
    clock.advance(hours(13));
    for (const email of others) await deliverNext(email);
    expect(relay.sent).toBe(emails.length - 1);

    clock.advance(hours(12));
    await deliverNext(late);
    expect(await deliveryOf(late)).toMatchObject({ state: 'failed', failureReason: 'expired', attempts: 0 });
  });
});
