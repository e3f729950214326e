import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NodeServiceOptions, startNodeService } from '../../../../tools/dev/launcher/node-service.js';
import { freePort } from '../../../../tools/dev/provision/ports.js';
import { ProcessTable } from '../../../../tools/dev/provision/processes.js';
import { temporaryFolder } from '../../../support/lib/temporary-folder.js';

let processes: ProcessTable;
let port: number;
let url: string;
let options: NodeServiceOptions;

beforeEach(async () => {
  processes = new ProcessTable();
  port = await freePort();
  url = `http://127.0.0.1:${port}/health`;
  const server = `require('node:http').createServer((_, response) => response.end('ok')).listen(${port})`;
  const dataFolder = temporaryFolder();
  options = {
    processes,
    name: 'model',
    script: server,
    env: process.env,
    healthUrls: [url],
    nodeArgs: ['--eval'],
    dataFolder,
  };
});
afterEach(() => processes.killAll());

test('starts a process and waits until it answers', async () => {
  const running = await startNodeService(options);
  expect((await fetch(url)).status).toBe(200);
  await running.stop();
  await expect(fetch(url)).rejects.toThrow();
});

test('takes no other program for the process, which answers in its place', async () => {
  const other = createServer((_, response) => response.end('ok')).listen(port, '127.0.0.1');
  await expect(startNodeService(options)).rejects.toThrow(
    `model was not started: another program answers at ${url}.`,
  );
  await new Promise((closed) => other.close(closed));
  const running = await startNodeService(options);
  expect(running.logFile).toBe(join(options.dataFolder, 'logs/model.log'));
});

test('says what a process that ends at once has said', async () => {
  const failing = { ...options, script: "console.error('no address'); process.exit(1)" };
  await expect(startNodeService(failing)).rejects.toThrow(/^model did not become ready: no address/);
});
