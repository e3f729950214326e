import { randomUUID } from 'node:crypto';
import type { MissedMessagesPass } from '../../../activities/channels/missed-messages.js';
import type { Message } from '../../../tools/simulators/carrier/message-store.js';
import type { WebhookResult } from '../../../tools/simulators/carrier/post-webhook.js';
import { taskQueues } from '../../../workflows/contracts/runs.js';
import { waitFor } from '../../support/lib/wait-for.js';
import { ask } from '../../support/simulators/ask.js';
import type { Entry } from './ledger.js';
import type { Operation } from './operations.js';
import type { Town } from './town.js';

export type Texting = Operation & { kind: 'text' | 'stop' | 'start' };

/** As the carrier brings it: its webhook is called again only where the connection failed, not after an error. */
export async function textIn({ system, workspace }: Town, operation: Texting, entry: Entry): Promise<void> {
  const path = `/simulator/handsets/${encodeURIComponent(entry.phone ?? '')}/messages`;
  const marker = `s${operation.index}`;
  const startedAt = Date.now();
  const { url } = system.carrier;
  const { sid, webhook } = await ask<Message & { webhook: WebhookResult[] }>(url, 'POST', path, {
    to: workspace.number,
    body: operation.kind === 'text' ? `${marker} ${operation.says}` : operation.kind.toUpperCase(),
    repeat: operation.kind === 'text' ? operation.times : 1,
  });
  entry.sid = sid;
  const endedAt = Date.now();
  for (const result of webhook) {
    const status = result.outcome === 'answered' ? result.httpStatus : undefined;
    const outcome = status !== undefined && status < 300 ? 'accepted' : 'unknown';
    entry.attempts.push({ marker, outcome, status, startedAt, endedAt });
  }
}

export type Mailing = Operation & { kind: 'email' };

/**
 * A member replies to the latest email of a chat, or writes to the inbox, also as long as none has come. The member's mail
 * server tries again until the mail is taken.
 */
export async function mailIn(
  { system: { mail }, inbox }: Town,
  { index, chat, says, times, replies }: Mailing,
  entry: Entry,
  from: string,
): Promise<void> {
  const marker = `s${index}`;
  const startedAt = Date.now();
  const came = (await mail.sentTo(from)).filter(({ subject }) => subject.replace('Re: ', '') === `s${chat}`);
  const got = replies ? came.at(-1) : undefined;
  entry.replied = got !== undefined;
  const { statuses } = await mail.write({
    from,
    to: got?.headers['reply-to'] ?? inbox.address,
    text: `${marker} ${says}`,
    times,
    ...(got === undefined
      ? { subject: 'Question' }
      : { subject: `Re: s${chat}`, inReplyTo: got.headers['message-id'] ?? '' }),
  });
  const endedAt = Date.now();
  for (const status of statuses) {
    const outcome = status === 202 ? 'accepted' : 'unknown';
    entry.attempts.push({ marker, outcome, status, startedAt, endedAt });
  }
}

/**
 * What the schedule does every two minutes, until nothing is missing: the storm is over, and nobody need be patient.
 */
export async function takeWhatWasMissed({ system }: Town): Promise<void> {
  await waitFor(
    'what the webhook missed is taken',
    async () => {
      const { carrier, failed } = (await system.client.workflow.execute('receiveMissedMessages', {
        workflowId: `receive-missed-${randomUUID()}`,
        taskQueue: taskQueues.runs,
        args: [{ graceMs: 0 }],
      })) as MissedMessagesPass;
      return carrier === 'asked' && failed === 0;
    },
    180_000,
  );
}
