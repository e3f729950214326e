import type { Figure } from '../figure.js';
import type { ProgramExtras, StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { memoryProbe } from '../support/memory-probe.js';
import { type FollowedChat, makeChats, openStreams, type PathOf, write } from './audience.js';

/** The memory that a process needs for each open stream. */
export const streamMemory: Figure = {
  name: 'stream-memory',
  title: 'Memory of an open event stream',
  unit: 'KB',
  target: { atMost: 30 },
  async prepare(stage, { streams }) {
    const chats = await makeChats(stage, streams);
    const onFloor =
      (url: string): PathOf =>
      ({ id }, what) =>
        `${url}/chats/${id}/${what}`;
    const inService =
      (url: string): PathOf =>
      ({ id }, what) =>
        `${url}/api/v2${stage.workspace.path(`/chats/${id}/${what}`)}`;
    return {
      floor: () =>
        perStream(stage, chats, onFloor, (extras) =>
          stage.startScript(new URL('./floor.ts', import.meta.url), extras),
        ),
      measured: () => perStream(stage, chats, inService, (extras) => stage.startApi(extras)),
    };
  },
};

/** Measures in a new process, because a process does not return freed memory to the system at once. */
async function perStream(
  stage: Stage,
  chats: readonly FollowedChat[],
  pathsAt: (url: string) => PathOf,
  start: (extras: ProgramExtras) => Promise<StageProcess>,
): Promise<number> {
  const probe = await memoryProbe();
  const server = await start(probe.extras);
  const pathOf = pathsAt(server.url);
  // The first streams also allocate what all streams share.
  const first = await openStreams(stage, chats.slice(0, Math.ceil(chats.length / 10)), pathOf);
  await first.close();
  const before = await probe.read();
  const audience = await openStreams(stage, chats, pathOf);
  for (const chat of chats) await write(chat, pathOf);
  await audience.arrivals(chats.length);
  const after = await probe.read();
  await audience.close();
  await server.stop();
  return (after.rss - before.rss) / 1_024 / audience.streams;
}
