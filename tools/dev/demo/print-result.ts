import type { DevFile } from '../launcher/dev-file.js';
import { recordsHook } from '../seed/configure-simulators.js';
import type { ApiClient } from './api-client.js';
import type { Assignment } from './assignment.js';
import { checkUntil } from './look-until.js';
import { printHeading } from './transcript.js';

/** Prints how the assignment ended, the records that it collected, and the webhooks about them. */
export async function printResult(dev: DevFile, admin: ApiClient, assignment: Assignment): Promise<void> {
  const { status, outcome, outcomeReason, dataRecords } = assignment;
  printHeading('Result');
  console.log(`status   ${status}`);
  console.log(`outcome  ${outcome ?? '-'}: ${outcomeReason ?? ''}`);
  for (const { id, dataTypeId, fieldValues } of dataRecords) {
    console.log(`record   ${JSON.stringify(fieldValues)}`);
    const { total } = await admin<{ total: number }>(
      'GET',
      `/data-types/${dataTypeId}/records/${id}/changes`,
    );
    for (const line of await webhooksAbout(dev.webhookSink, id, total)) console.log(`webhook  ${line}`);
  }
}

interface ReceivedWebhook {
  body: string;
  signature: string;
  answered: string | null;
}

/**
 * Waits at the webhook sink until a webhook has come for each change of a record.
 * @returns one line for each webhook; fewer if not all come in time, for example because the rule is disabled
 */
async function webhooksAbout(sink: string, recordId: number, changes: number): Promise<string[]> {
  let lines: string[] = [];
  await checkUntil(10_000, async () => {
    const response = await fetch(`${sink}/deliveries?${new URLSearchParams({ name: recordsHook })}`);
    const received = (await response.json()) as ReceivedWebhook[];
    lines = received.flatMap((webhook) => lineOf(webhook, recordId) ?? []);
    return lines.length >= changes || undefined;
  });
  return lines;
}

function lineOf({ body, signature, answered }: ReceivedWebhook, recordId: number): string | undefined {
  const { event, operation, dataRecord } = JSON.parse(body) as {
    event: string;
    operation: string;
    dataRecord: { id: number };
  };
  if (dataRecord.id !== recordId) return undefined;
  return `${event}: record ${recordId} was ${operation}; signature ${signature}, answered ${answered ?? '-'}`;
}
