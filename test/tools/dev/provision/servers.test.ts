import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { searchAttributeNames } from '../../../../runtime/temporal/run-options.js';
import { startOwnPostgres } from '../../../support/faults/own-postgres.js';
import { temporalBackend } from '../../../support/run/backend-client.js';
import { startOwnTemporal } from '../../../support/temporal/temporal.js';

async function temporal(address: string, command: string): Promise<string> {
  const { program } = await temporalBackend();
  return execFileSync(program, [...command.split(' '), '--address', address], { encoding: 'utf8' });
}

test('configures search attributes and retention on the Temporal server of the test run', async () => {
  const { address } = await temporalBackend();
  const listed = await temporal(address, 'operator search-attribute list');
  const namespace = await temporal(address, 'operator namespace describe -n default -o json');
  for (const name of searchAttributeNames) expect(listed).toMatch(new RegExp(`${name}\\s+Keyword`));
  expect(namespace).toContain('"workflowExecutionRetentionTtl": "2592000s"');
});

test('restarts an own Temporal server with its data after a crash', async () => {
  const server = await startOwnTemporal();
  const start = 'workflow start --type anything --task-queue nobody --workflow-id kept';
  await temporal(server.address, `${start} --search-attribute WorkspaceUuid="some-workspace"`);

  await server.kill();
  await server.start();

  const described = await temporal(server.address, 'workflow describe --workflow-id kept');
  expect(described).toContain('some-workspace');
  await server.stop();
});

test('restarts an own PostgreSQL server after a crash', async () => {
  const server = await startOwnPostgres();
  await server.kill();
  await expect(server.database.ping()).rejects.toThrow();
  await server.start();
  expect(await server.database.ping()).toBe(true);
  await server.stop();
});
