import type { TestApi } from './api.js';
import { readStream, type TestStream } from './event-stream.js';
import type { TestOAuthClient } from './oauth-client.js';
import type { PageVisitor } from './page-visitor.js';

/** A message of an AI client, by hand. */
export interface McpRequest {
  token?: string | undefined;
  method?: string;
  params?: object;
  headers?: Record<string, string>;
  /** Sent as it is, instead of a message. */
  raw?: string;
}

export interface McpAnswer {
  status: number;
  headers: Headers;
  /** The result of the message; or else the whole body, such as a problem. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer is what it asserts
  body: any;
}

/** Sends one message as a client of 2025-11-25 does, which keeps no session. */
export async function sendMcp(api: Pick<TestApi, 'baseUrl'>, request: McpRequest): Promise<McpAnswer> {
  const { token, method = 'tools/list', params = {}, headers = {}, raw } = request;
  const response = await fetch(`${api.baseUrl}/api/v2/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: raw ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return read(response);
}

export const modern = '2026-07-28';

/** Sends one message as a client of 2026-07-28 does: each says all about itself. */
export async function sendModernMcp(
  api: Pick<TestApi, 'baseUrl'>,
  request: ModernRequest,
  capabilities: object = {},
): Promise<McpAnswer> {
  return sendMcp(api, modernRequest(request, capabilities));
}

/** What a client of 2026-07-28 sends once it has asked its person, who agrees. */
export async function confirmedRequest(
  ...[api, request, capabilities]: Parameters<typeof sendModernMcp>
): Promise<McpRequest> {
  const asks = { ...capabilities, elicitation: { form: {} } };
  return agreedTo(request, asks, await sendModernMcp(api, request, asks));
}

/** Calls a tool, and has the person agree if that is asked. */
export async function sendConfirmedMcp(
  ...[api, request, capabilities]: Parameters<typeof sendModernMcp>
): Promise<McpAnswer> {
  const asks = { ...capabilities, elicitation: { form: {} } };
  const first = await sendModernMcp(api, request, asks);
  return first.body.resultType === 'input_required' ? sendMcp(api, agreedTo(request, asks, first)) : first;
}

function agreedTo(request: ModernRequest, asks: object, { body: { requestState } }: McpAnswer): McpRequest {
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
  const params: object = { ...request.params, inputResponses, requestState };
  return modernRequest({ ...request, params }, asks);
}

type ModernRequest = McpRequest & { params?: { name?: string; taskId?: string } };

function modernRequest(
  { method = 'tools/list', params = {}, headers = {}, ...request }: ModernRequest,
  capabilities: object,
): McpRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params.name ?? params.taskId;
  return {
    ...request,
    method,
    params: { ...params, _meta },
    headers: {
      'MCP-Protocol-Version': modern,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': name }),
      ...headers,
    },
  };
}

/** Subscribes to changes as a client of 2026-07-28 does. */
export async function openListen(
  api: Pick<TestApi, 'baseUrl'>,
  token: string,
  notifications: unknown,
): Promise<TestStream> {
  const stop = new AbortController();
  const { params, headers = {} } = modernRequest(
    { method: 'subscriptions/listen', params: { notifications } as object },
    {},
  );
  const response = await fetch(`${api.baseUrl}/api/v2/mcp`, {
    method: 'POST',
    signal: stop.signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'stream-1', method: 'subscriptions/listen', params }),
  });
  return readStream(response, stop);
}

async function read(response: Response): Promise<McpAnswer> {
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const message = data === '' ? {} : JSON.parse(data);
  return { status: response.status, headers: response.headers, body: message.result ?? message };
}

/** What a library for clients keeps of its sign-in, and how its person consents: in a browser of the test. */
export class TestConsent {
  #verifier = '';
  #asked: URL | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own types for the same fields
  #tokens: any;

  constructor(
    readonly client: TestOAuthClient,
    readonly person: () => Promise<PageVisitor>,
    readonly workspace: () => Record<string, string>,
  ) {}

  get redirectUrl(): string {
    return this.client.settings.redirectUri;
  }

  get clientMetadata() {
    return { client_name: 'Test', redirect_uris: [this.redirectUrl] };
  }

  clientInformation() {
    const { clientId, secret } = this.client.settings;
    return { client_id: clientId, ...(secret != null && { client_secret: secret }) };
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: object): void {
    this.#tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  redirectToAuthorization(url: URL): void {
    this.#asked = url;
  }

  /** The address to which the client has sent its person. */
  get asked(): URL {
    if (this.#asked === undefined) throw new Error('the client has not asked for consent');
    return this.#asked;
  }

  /** Has the person consent. @returns where the browser is sent back */
  async allow(): Promise<URL> {
    const { pathname, search } = this.asked;
    const end = await this.client.consent(await this.person(), pathname + search, this.workspace());
    if (end.location === undefined)
      throw new Error(`the consent did not lead back: ${end.status} ${end.text}`);
    return new URL(end.location);
  }
}
