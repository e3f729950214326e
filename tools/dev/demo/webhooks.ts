import { setTimeout as delay } from 'node:timers/promises';
import { recordsHook } from '../seed/tell-of-records.js';

interface ReceivedWebhook {
  body: string;
  signature: string;
  answered: string | null;
}

const patienceMs = 10_000;
const lookEveryMs = 250;

/**
 * Waits for webhooks about a member's data records at the webhook sink.
 * @returns one line for each webhook; empty if none arrives in time, for example because the rule is disabled
 */
export async function webhooksAbout(sink: string, memberId: number): Promise<string[]> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const response = await fetch(`${sink}/deliveries?${new URLSearchParams({ name: recordsHook })}`);
    const received = (await response.json()) as ReceivedWebhook[];
    const lines = received.flatMap((webhook) => lineOf(webhook, memberId) ?? []);
    if (lines.length > 0 || Date.now() > giveUpAt) return lines;
    await delay(lookEveryMs);
  }
}

function lineOf({ body, signature, answered }: ReceivedWebhook, memberId: number): string | undefined {
  const { event, operation, dataRecord } = JSON.parse(body) as {
    event: string;
    operation: string;
    dataRecord: { id: number; memberId: number | null };
  };
  if (dataRecord.memberId !== memberId) return undefined;
  return `${event}: record ${dataRecord.id} was ${operation}; signature ${signature}, answered ${answered ?? '-'}`;
}
