import type { DevFile } from '../launcher/dev-file.js';
import type { ApiClient } from './api-client.js';
import { checkUntil } from './look-until.js';
import { printHeading } from './transcript.js';

interface Call {
  id: number;
  status: string;
  terminationReason: string | null;
  carrierStatus?: string;
  durationSeconds?: number;
  credits: number;
  finishedAt?: string;
}

/** Waits for the end of the call, and prints how it ended, what it cost and the command that fetches its recording. */
export async function printCallOutcome(dev: DevFile, admin: ApiClient, chatId: number): Promise<void> {
  const read = async () => (await admin<Call[]>('GET', `/chats/${chatId}/phone-calls`))[0];
  const finished = await checkUntil(30_000, async () => {
    const call = await read();
    return call?.finishedAt === undefined ? undefined : call;
  });
  const call = finished ?? (await read());
  printHeading('Call');
  const outcome = [call?.terminationReason, call?.carrierStatus].filter((word) => word != null);
  console.log(`status     ${call?.status ?? '-'}: ${outcome.join(', ')}`);
  console.log(`lasted     ${call?.durationSeconds ?? '-'} seconds, ${call?.credits ?? 0} credits`);
  const address = `${dev.baseUrl}/api/v2/w/${dev.workspaceUuid}/recordings/chat/${chatId}/audio.wav`;
  const withKey = `-H "Authorization: Bearer ${dev.adminApiKey}"`;
  console.log(`recording  ${await bytesAt(address, dev.adminApiKey)} bytes, which this command fetches:`);
  console.log(`           curl -sS ${withKey} ${address} -o .data/call-${chatId}.wav`);
}

async function bytesAt(address: string, apiKey: string): Promise<string> {
  const headers = { Authorization: `Bearer ${apiKey}`, Range: 'bytes=0-43' };
  const range = (await fetch(address, { headers })).headers.get('Content-Range');
  return range?.split('/')[1] ?? 'no';
}
