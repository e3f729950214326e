import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from '../support/read-json.js';
import {
  noContent,
  type Route,
  type RunningSimulator,
  type SimulatorRequest,
  serve,
} from '../support/serve.js';
import { Knobs, type Mishap } from './knobs.js';
import { changedTools, runTool, simulatedTools } from './tools.js';

interface Log {
  /** The methods of all requests. */
  requests: string[];
  calls: RunCall[];
}

/** A call of a tool that the server has run. */
export interface RunCall {
  tool: string;
  arguments: Record<string, unknown>;
  authorization: string | null;
}

/**
 * Starts an MCP server on `@modelcontextprotocol/sdk`, which is as strict as a real one, without sessions, with faults; see
 * `tools/simulators/README.md`.
 */
export function startMcpServer({ port, host }: { port: number; host?: string }): Promise<RunningSimulator> {
  return serve(routesOf(new Knobs(), { requests: [], calls: [] }), port, host);
}

const huge = 'x'.repeat(4 * 1024 * 1024);

function routesOf(knobs: Knobs, log: Log): Route[] {
  return [
    ['GET', '/health', () => ({ body: { status: 'ok', simulated: 'mcp-server' } })],
    ['POST', '/mcp', (request) => answer(knobs, log, request)],
    ['GET', '/requests', () => ({ body: log.requests })],
    ['GET', '/calls', () => ({ body: log.calls })],
    ['DELETE', '/calls', () => noContent(() => Object.assign(log, { requests: [], calls: [] }))],
    ['GET', '/knobs', () => ({ body: knobs.of(undefined) })],
    ['POST', '/knobs', (request) => ({ body: knobs.turn(request.json()) })],
    ['DELETE', '/knobs', () => noContent(() => knobs.reset())],
  ];
}

async function answer(knobs: Knobs, log: Log, request: SimulatorRequest): Promise<undefined> {
  const { response } = request;
  const message = request.json();
  const method = isObject(message) ? String(message.method) : '';
  log.requests.push(method);
  const { token, latencyMs, json } = knobs.of(undefined);
  if (latencyMs > 0) await delay(latencyMs);
  if (token !== null && request.headers.authorization !== `Bearer ${token}`) {
    response.setHeader('www-authenticate', 'Bearer error="invalid_token"');
    return refuse(response, 401);
  }
  const fault = knobs.nextFault(method);
  if (fault !== undefined && happensInstead(response, fault)) return undefined;
  const server = serverOf(knobs, log, request, fault);
  // Without sessions.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: json });
  response.on('close', () => void server.close());
  // The types of the SDK are not written for `exactOptionalPropertyTypes`.
  await server.connect(transport as unknown as Parameters<Server['connect']>[0]);
  await transport.handleRequest(request.incoming, response, message);
  return undefined;
}

function serverOf(
  knobs: Knobs,
  log: Log,
  { headers, response }: SimulatorRequest,
  fault: Mishap | undefined,
): Server {
  const server = new Server({ name: 'simulated orders', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...(knobs.of(undefined).changed ? changedTools : simulatedTools)],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: input = {} } }) => {
    log.calls.push({ tool: name, arguments: input, authorization: headers.authorization ?? null });
    if (fault?.answer === 'run_and_reset') response.socket?.resetAndDestroy();
    if (fault?.answer === 'huge') return { content: [{ type: 'text', text: huge }] };
    try {
      return { content: [{ type: 'text', text: JSON.stringify(runTool(name, input)) }] };
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The tool failed.';
      return { isError: true, content: [{ type: 'text', text }] };
    }
  });
  return server;
}

/** Applies a fault that comes instead of the answer. @returns whether it was one */
function happensInstead(
  response: ServerResponse,
  { answer: way, status, retryAfter, location }: Mishap,
): boolean {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  switch (way) {
    case 'status':
      refuse(response, status ?? 503);
      return true;
    case 'redirect':
      response.setHeader('location', location ?? 'http://169.254.169.254/latest/meta-data/');
      refuse(response, status ?? 307);
      return true;
    case 'reset':
      response.socket?.resetAndDestroy();
      return true;
    case 'empty_stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      return true;
    case 'hang':
      return true;
    default:
      return false;
  }
}

function refuse(response: ServerResponse, status: number): undefined {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: `The simulator answers ${status}.` }));
}
