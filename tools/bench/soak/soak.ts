import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../../test/support/lib/statistics.js';
import type { MemoryProbe } from '../../dev/memory/memory-probe.js';
import type { Stage } from '../stage/stage.js';
import { type Saying, talkativeCaller } from './caller.js';
import { channelOf, loudMs, soundsOn } from './recording.js';
import { startTelephone, type Telephone } from './telephone.js';

/** What was found, and what it has to be. */
export interface Finding {
  title: string;
  found: string;
  target: string;
  met: boolean;
}

/** How much the memory of a process may grow in a call, in MB. */
const maxGrowth = 2;
/** How far what is heard may be from where it was said or played. */
const maxMs = 40;
const samples = 60;
/** The bridge opens another session before the provider ends the old one, after an hour. */
const sessionMinutes = 55;
const endsWithinMs = 60_000;

/** One call of so many minutes through the whole service, in real time. */
export async function soak(stage: Stage, minutes: number, tell: (line: string) => void): Promise<Finding[]> {
  const { script, sayings } = talkativeCaller(minutes);
  const telephone = await startTelephone(stage, script);
  const id = await telephone.place();
  const grown = await watch(telephone, id, minutes, tell);
  return [
    ...(await endOf(telephone, id, minutes)),
    growth(grown),
    ...(await wordsOf(telephone, sayings)),
    ...(await recordingOf(telephone, sayings)),
  ];
}

/** Reads the memory of the media process until the call has ended. @returns megabytes */
async function watch(
  telephone: Telephone,
  id: number,
  minutes: number,
  tell: (line: string) => void,
): Promise<number[]> {
  const startedAt = performance.now();
  const lengthMs = minutes * 60_000;
  const seen: number[] = [];
  for (;;) {
    await pause(lengthMs / samples);
    const { finishedAt, status } = await telephone.call(id);
    if (finishedAt !== undefined) return seen;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > lengthMs + endsWithinMs) throw new Error(`the call has not ended: it is ${status}`);
    const held = await heldMegabytes(telephone.memory);
    seen.push(held);
    tell(`${(elapsedMs / 60_000).toFixed(1)} min: ${status}, ${held.toFixed(1)} MB`);
  }
}

/** What objects and buffers hold after a garbage collection. */
async function heldMegabytes(memory: MemoryProbe): Promise<number> {
  const { heapUsed, external } = await memory.read();
  return (heapUsed + external) / 1_048_576;
}

/** From the second tenth, when all code has run, to the last. */
function growth(seen: readonly number[]): Finding {
  const tenth = Math.max(1, Math.floor(seen.length / 10));
  const grown = median(seen.slice(-tenth)) - median(seen.slice(tenth, 2 * tenth));
  return finding('growth of the media process', grown, maxGrowth, 'MB');
}

async function endOf(telephone: Telephone, id: number, minutes: number): Promise<Finding[]> {
  const call = await telephone.call(id);
  const { status, terminationReason, failureDetail = '', durationSeconds = 0 } = call;
  const { alerts, streams } = await telephone.atCarrier();
  const sessions = await telephone.sessions();
  const expected = minutes > sessionMinutes ? 2 : 1;
  const isWhole = Math.abs(durationSeconds - minutes * 60) <= 10;
  return [
    same('the call', `${status}, ${terminationReason ?? ''} ${failureDetail}`.trim(), 'completed, completed'),
    { title: 'its length', found: `${durationSeconds} s`, target: `${minutes} min`, met: isWhole },
    same('streams', String(streams.length), '1'),
    same('sessions of the model', String(sessions), String(expected)),
    same('errors at the carrier', alerts.map(({ code }) => code).join(', ') || 'none', 'none'),
  ];
}

async function wordsOf(telephone: Telephone, sayings: readonly Saying[]): Promise<Finding[]> {
  const messages = await telephone.messages();
  const said = messages.filter(({ role }) => role === 'user');
  const missing = sayings.filter(({ words }) => !said.some(({ text }) => text.includes(words)));
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  return [
    same('words that are not in the transcript', String(missing.length), '0'),
    { title: 'answers', found: String(answers), target: 'some', met: answers > 0 },
  ];
}

/** Both channels, beside what was said by the script and what the carrier has played. */
async function recordingOf(telephone: Telephone, sayings: readonly Saying[]): Promise<Finding[]> {
  const [wav, { streams }] = await Promise.all([telephone.recording(), telephone.atCarrier()]);
  const heard = soundsOn(channelOf(wav, 0));
  const first = heard[0]?.atMs ?? 0;
  const off = sayings.map(({ atMs }, index) => Math.abs((heard[index]?.atMs ?? 0) - first - atMs));
  const isSame = sayings.every(({ words }, index) => heard[index]?.words === words);
  const played = streams.reduce((sum, { playedMs }) => sum + playedMs, 0);
  const clears = streams.reduce((sum, stream) => sum + stream.clears, 0);
  const apart = Math.abs(loudMs(channelOf(wav, 1)) - played) / Math.max(1, clears);
  return [
    same('sayings in the recording', isSame ? 'all' : `${heard.length} sounds`, 'all'),
    finding('the caller in the recording, off by', Math.max(0, ...off), maxMs, 'ms'),
    finding('the agent, for each interruption', apart, maxMs, 'ms'),
  ];
}

function finding(title: string, measured: number, most: number, unit: string): Finding {
  return {
    title,
    found: `${measured.toFixed(1)} ${unit}`,
    target: `at most ${most} ${unit}`,
    met: measured <= most,
  };
}

function same(title: string, found: string, target: string): Finding {
  return { title, found, target, met: found === target };
}
