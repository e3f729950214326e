import { randomUUID } from 'node:crypto';
import type { DevFile } from '../launcher/dev-file.js';
import { intakeName } from '../seed/clinic.js';
import { DemoTimedOut } from './api-client.js';
import { checkUntil } from './look-until.js';
import { connect } from './mcp/connect.js';
import { McpClient } from './mcp/mcp-client.js';
import { Reception } from './mcp/reception.js';
import { printHeading } from './transcript.js';

const scopes = [
  'assignments:read',
  'assignments:write',
  'chats:read',
  'chats:write',
  'data:read',
  'files:read',
  'members:read',
  'members:write',
  'task:read',
  'task:write',
  'workflows:read',
];

/**
 * Shows what an AI client does with the tools: it connects as any client would, and a stand-in for its model prepares a
 * member's first visit with them. @returns the final status of the assignment
 */
export async function runMcpDemo(dev: DevFile): Promise<string> {
  printHeading('An AI client connects to the tools, knowing nothing but their address');
  const connection = await connect(dev, scopes, (step, what) => console.log(`${step.padEnd(9)}  ${what}`));
  try {
    const client = new McpClient(connection.url, connection.token);
    console.log(`server     ${await client.begin()}`);
    const tools = await client.tools();
    console.log(`tools      ${tools.length}: ${tools.map(({ name }) => name).join(', ')}`);
    return await walk(new Reception(client));
  } finally {
    await connection.end();
  }
}

async function walk(reception: Reception): Promise<string> {
  printHeading(`It prepares a first visit by “${intakeName}”`);
  const keys = { member: randomUUID(), chat: randomUUID() };
  await reception.begin(intakeName, keys);
  const isOver = await checkUntil(120_000, async () => (await reception.goOn()) || undefined);
  if (isOver === undefined) throw new DemoTimedOut('active');
  return reception.tellResult();
}
