import { createServer, type IncomingMessage } from 'node:http';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { catalog } from '../../../api/mcp/catalog/index.js';
import { recordById } from '../http/floors.js';
import { inWorkspace } from '../support/floor-transaction.js';

/*
 * The floor of a read by `tools/call`: a server of the SDK with as many tools, whose schemas are made once, and the bare
 * query under the same row-level security; without tokens, permissions, validation of ours, rates or log.
 */

const workspaceId = Number(process.env.WORKSPACE_ID);
const tools = catalog.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
  name,
  told: {
    title,
    description,
    annotations,
    inputSchema: fromJsonSchema(inputSchema),
    outputSchema: fromJsonSchema(outputSchema ?? { type: 'object' }),
  },
}));

interface ReadArguments {
  data_type_id: number;
  record_id: number;
}

async function readRecord({ data_type_id: typeId, record_id: recordId }: ReadArguments) {
  const row = await inWorkspace(workspaceId, async (client) => {
    const { rows } = await client.query(recordById, [typeId, recordId]);
    return rows[0];
  });
  const { id, field_values: fieldValues, created_at: createdAt, updated_at: updatedAt } = row;
  const record = {
    id: Number(id),
    dataTypeId: Number(row.data_type_id),
    memberId: Number(row.member_id),
    memberName: row.member_name,
    fieldValues,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    accessMode: row.access_mode,
  };
  return { content: [{ type: 'text' as const, text: JSON.stringify(record) }], structuredContent: record };
}

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'floor', version: '1' });
  for (const { name, told } of tools)
    server.registerTool(name, told, (args) => readRecord(args as ReadArguments));
  return server;
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.end('ready');
    return;
  }
  bodyOf(request)
    .then(async (body) => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const url = `http://${request.headers.host}${request.url}`;
      const answer = await handler.fetch(new Request(url, { method: 'POST', body, headers }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })
    .catch(() => response.writeHead(500).end());
}).listen(Number(process.env.PORT), '127.0.0.1');
