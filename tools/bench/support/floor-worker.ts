import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createTemporalClient } from '../../../runtime/temporal/connect.js';
import type { Stage } from '../stage/stage.js';

export const floorTaskQueue = 'floor';

/** Starts a run of the workflow of a floor, for a chat. */
export function startFloorRun({ temporal, workspace: { workspaceId } }: Stage, chatId: number) {
  return createTemporalClient({ ...temporal, tls: false }).workflow.start('floor', {
    workflowId: `floor-${randomUUID()}`,
    taskQueue: floorTaskQueue,
    args: [{ workspaceId, chatId }],
  });
}

/** Runs a bare worker as the program of a floor. An HTTP server on PORT calls `answer` and responds when it is done. */
export async function runFloorWorker(
  workflowsUrl: URL,
  activities: object,
  answer: (url: URL) => Promise<void> = async () => undefined,
): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    connection,
    namespace: process.env.TEMPORAL_NAMESPACE ?? '',
    taskQueue: floorTaskQueue,
    workflowsPath: workflowsUrl.pathname,
    activities,
  });
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://localhost')).then(
      () => response.end('ready'),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
  await worker.run();
  server.close();
}
