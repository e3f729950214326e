/** A remote MCP server, which is untrusted as receivers of webhooks are. */
export interface RemoteServer {
  url: string;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/** A tool as its server describes it. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  annotations?: Record<string, unknown> | undefined;
}

export interface Listing {
  tools: ListedTool[];
  /** Whether the server has more tools than are read. */
  isCut: boolean;
}

export type ListOutcome = ({ kind: 'listed' } & Listing) | NotDone<'failed'>;

/** `code`: ours, without anything of the address or of the answer. */
interface NotDone<Kind extends string> {
  kind: Kind;
  code: string;
  /** How long the server asked to wait. */
  retryAfterMs?: number;
}

export interface RemoteCall {
  server: RemoteServer;
  tool: string;
  arguments: Record<string, unknown>;
  /** Present: the tools are listed first. Returns a code if the call is not to be made. */
  check?: ((listing: Listing) => string | undefined) | undefined;
  signal?: AbortSignal;
}

/** What came of a call. `listing`: what `check` was asked about. */
export type RemoteOutcome = { listing?: Listing } & (
  | {
      kind: 'called';
      /** Whether the tool itself reports an error. */
      isError: boolean;
      text: string;
      /** How many parts of the answer are no text: pictures, sound, files. */
      leftOut: number;
    }
  /** The server has certainly not run the tool. */
  | NotDone<'not_called'>
  /** The server may have run the tool. */
  | NotDone<'lost'>
);

export interface RemoteTools {
  /** Lists the tools of a server, within ten seconds and with bounded memory. Any behaviour of the server is an outcome. */
  list(server: RemoteServer): Promise<ListOutcome>;
  /** Calls a tool once, within the time limit and with bounded memory. Any behaviour of the server is an outcome. */
  call(call: RemoteCall): Promise<RemoteOutcome>;
  close(): void;
}
