/** What a remote MCP server says of a tool. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  /** JSON Schema of the arguments, as the server has written it. */
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown> | undefined;
}

export interface Listing {
  tools: ListedTool[];
  /** Whether the server has more tools than are read. */
  isCut: boolean;
}

/** Lists the tools of remote MCP servers. Implemented by the provider. */
export interface ToolLister {
  list(server: {
    url: string;
    token?: string | undefined;
  }): Promise<({ kind: 'listed' } & Listing) | { kind: 'failed'; code: string }>;
}

/** What came of a call of a remote tool; `listing`: its server was asked for its tools before. */
export type RemoteAnswer = { listing?: Listing } & (
  | { kind: 'called'; isError: boolean; text: string; leftOut: number }
  | { kind: 'not_called'; code: string; retryAfterMs?: number }
  | { kind: 'lost'; code: string }
);
