import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../../test/support/lib/statistics.js';
import { memoryProbe } from '../../dev/memory/memory-probe.js';
import type { Figure } from '../figure.js';
import type { ProgramExtras, StageProcess } from '../stage/processes.js';
import type { Stage } from '../stage/stage.js';
import { type Audience, type FollowedChat, makeChats, openStreams, type PathOf, write } from './audience.js';

const messagesPerSecond = 100;

export const streamDelivery = {
  inWindows: delivery('stream-delivery', 10),
  inChats: delivery('stream-delivery-chats', 5),
};

/** The same number of streams and messages, in chats with as many readers. */
function delivery(name: string, readers: number): Figure {
  return {
    name,
    title: `Message posted to event read, 100/s, ${readers} readers a chat, p99`,
    unit: 'ms',
    target: { moreAtMost: 25 },
    async prepare(stage, { seconds, streams }) {
      const chats = await makeChats(stage, streams, readers);
      const [floor, read, written] = await Promise.all([
        stage.startScript(new URL('./floor.ts', import.meta.url)),
        stage.startApi(),
        stage.startApi(),
      ]);
      const onFloor = pathsOnFloor(floor);
      // Write in one api process and read in another, as in a deployment with several.
      const inService: PathOf = (chat, what) =>
        pathsInService(stage, what === 'events' ? read : written)(chat, what);
      const [floorAudience, audience] = await Promise.all([
        openStreams(stage, chats, onFloor),
        openStreams(stage, chats, inService),
      ]);
      const count = messagesPerSecond * seconds * 2;
      return {
        floor: () => slowest(floorAudience, chats, onFloor, count),
        measured: () => slowest(audience, chats, inService, count),
      };
    },
  };
}

const pathsOnFloor =
  ({ url }: StageProcess): PathOf =>
  ({ id }, what) =>
    `${url}/chats/${id}/${what}`;

const pathsInService =
  ({ workspace }: Stage, { url }: StageProcess): PathOf =>
  ({ id }, what) =>
    `${url}/api/v2${workspace.path(`/chats/${id}/${what}`)}`;

/** Posts at a fixed rate without waiting for earlier messages. */
async function slowest(
  audience: Audience,
  chats: readonly FollowedChat[],
  pathOf: PathOf,
  count: number,
): Promise<number> {
  const writing: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    await pause(startedAt + (sent * 1_000) / messagesPerSecond - performance.now());
    const chat = chats[sent % chats.length];
    if (chat !== undefined) writing.push(write(chat, pathOf));
  }
  await Promise.all(writing);
  return percentile(await audience.arrivals(count), 99);
}

/** The memory that a process needs for each open stream. */
export const streamMemory: Figure = {
  name: 'stream-memory',
  title: 'Memory of an open event stream',
  unit: 'KB',
  target: { atMost: 30 },
  async prepare(stage, { streams }) {
    const chats = await makeChats(stage, streams, 10);
    const floor = new URL('./floor.ts', import.meta.url);
    return {
      floor: () => perStream(stage, chats, pathsOnFloor, (extras) => stage.startScript(floor, extras)),
      measured: () =>
        perStream(
          stage,
          chats,
          (api) => pathsInService(stage, api),
          (extras) => stage.startApi(extras),
        ),
    };
  },
};

/** Measures in a new process, because a process does not return freed memory to the system at once. */
async function perStream(
  stage: Stage,
  chats: readonly FollowedChat[],
  pathsAt: (server: StageProcess) => PathOf,
  start: (extras: ProgramExtras) => Promise<StageProcess>,
): Promise<number> {
  const probe = await memoryProbe();
  const server = await start(probe.extras);
  const pathOf = pathsAt(server);
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
