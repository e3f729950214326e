import type { LiveCall } from './live-call.js';

/** The person hears words, which take their time, or a sound. */
export async function hear(
  live: LiveCall,
  heard: { say: string } | { play: string },
  turn: AbortSignal,
): Promise<undefined> {
  const { knobs, store } = live.exchange;
  if ('play' in heard && !(await isAudio(live, heard.play))) return undefined;
  store.note(live.call, 'heard', heard);
  const { msPerCharacter } = knobs.of(live.handset);
  if ('say' in heard) await waitFor(live, heard.say.length * msPerCharacter, turn);
  return undefined;
}

async function isAudio(live: LiveCall, url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: live.over });
    const type = response.headers.get('content-type') ?? '';
    await response.arrayBuffer();
    if (response.ok && type.startsWith('audio/')) return true;
    live.warn(response.ok ? 12300 : 11200, `Play: status ${response.status}, ${type}`);
  } catch {
    live.warn(11200, 'Play: no connection');
  }
  return false;
}

export async function waitFor(live: LiveCall, ms: number, turn: AbortSignal): Promise<void> {
  if (ms === 0) return;
  await Promise.race([
    live.rest(ms),
    new Promise<void>((resolve) => turn.addEventListener('abort', () => resolve(), { once: true })),
  ]);
}
