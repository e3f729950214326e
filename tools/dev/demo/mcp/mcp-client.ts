import { DemoError } from '../api-client.js';

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
}

/** What a tool has answered. */
export interface ToolAnswer {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the demo reads single fields of the answers
  data: any;
  /** The text that a model gets. */
  text: string;
}

interface RpcAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

const revision = '2025-11-25';

/** An AI client as far as the wire goes: JSON-RPC over HTTP, one request after the other. */
export class McpClient {
  #last = 0;

  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  /** @returns the name that the server gives itself */
  async begin(): Promise<string> {
    const clientInfo = { name: 'demo', version: '1' };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const { serverInfo } = await this.#ask<{ serverInfo: { title?: string; name: string } }>(
      'initialize',
      params,
    );
    return serverInfo.title ?? serverInfo.name;
  }

  async tools(): Promise<ListedTool[]> {
    const listed: ListedTool[] = [];
    let cursor: string | undefined;
    do {
      const page: { tools: ListedTool[]; nextCursor?: string } = await this.#ask('tools/list', {
        ...(cursor && { cursor }),
      });
      listed.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return listed;
  }

  async call(name: string, args: object = {}): Promise<ToolAnswer> {
    const { isError, structuredContent, content } = await this.#ask<{
      isError?: boolean;
      structuredContent?: object;
      content: { type: string; text?: string }[];
    }>('tools/call', { name, arguments: args });
    const text = content.map((part) => part.text ?? '').join('\n');
    return { isError: isError === true, data: structuredContent, text };
  }

  async #ask<Result>(method: string, params: object): Promise<Result> {
    this.#last += 1;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${this.token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': revision,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#last, method, params }),
    });
    const text = await response.text();
    if (!response.ok) throw new DemoError(`${method} was refused: ${response.status} ${text}`);
    const { result, error } = answerIn(response, text, this.#last);
    if (error !== undefined) throw new DemoError(`${method} has failed: ${error.message}`);
    return result as Result;
  }
}

/** A server answers with JSON, or with a stream of events of which one is the answer. */
function answerIn(response: Response, text: string, id: number): RpcAnswer {
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  const messages = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
    : [JSON.parse(text)];
  const answer = messages.find((message) => message.id === id);
  if (answer === undefined) throw new DemoError('The server has not answered.');
  return answer as RpcAnswer;
}
