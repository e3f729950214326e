import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../launcher/dev-file.js';
import type { ApiClient } from './api-client.js';
import { printHeading } from './transcript.js';

const patienceMs = 30_000;
const lookEveryMs = 250;

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
export async function printCall(dev: DevFile, admin: ApiClient, chatId: number): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  let call: Call | undefined;
  for (;;) {
    [call] = await admin<Call[]>('GET', `/chats/${chatId}/phone-calls`);
    if (call?.finishedAt !== undefined || Date.now() > giveUpAt) break;
    await delay(lookEveryMs);
  }
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
