import type { Logger } from 'pino';
import type { LivePublisher } from '../../db/live/live-publisher.js';
import type { CallPrices } from '../../domain/calls/call-prices.js';
import type { FileAddresses } from '../../domain/files/file-addresses.js';
import type { NotSent } from '../../domain/identity/login-codes/claim-login-code.js';
import type { LoginSecret } from '../../domain/identity/login-codes/login-secret.js';
import type { SmsLimits } from '../../domain/identity/login-codes/sms-limits.js';
import type { ModelsContext } from '../../domain/kernel/context.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import type { DomainRecords } from '../../domain/sites/domains/domain-records.js';
import type { Carrier } from '../../providers/carrier/carrier.js';
import type { ProviderName } from '../../providers/failures.js';
import type { EmailRelay } from '../../providers/mail/email-relay.js';
import type { Mail } from '../../providers/mail/mail.js';
import type { RemoteTools } from '../../providers/mcp/remote-tools.js';
import type { ChatModel } from '../../providers/model/chat-model.js';
import type { ProviderCondition } from '../../providers/provider-state.js';
import type { RequestSender } from '../../providers/requests/request-sender.js';
import type { SourceSite } from '../../providers/source-site/source-site.js';
import type { Storage } from '../../providers/storage/storage.js';
import type { WebhookSender } from '../../providers/webhook/webhook-sender.js';

/** The reconciler's access to runs. Implemented by the runtime. */
export interface RunInspector {
  /** `missing` if there is no such run, or its retention has passed. */
  statusOf(workflowId: string): Promise<'running' | 'closed' | 'missing'>;
  /**
   * Uuids of assignments whose runs closed abnormally since then, a few thousand at most, by that of their workspace.
   */
  listClosedAssignments(since: Date): Promise<Map<string, string[]>>;
  /**
   * A page of the assignments whose runs are open: their uuids by that of their workspace. One may be on two pages.
   * @param after `next` of the page before; absent: the first page
   */
  listOpenAssignments(after?: string): Promise<OpenAssignments>;
  /** Pokes a run. @returns false if it is not open */
  poke(workflowId: string): Promise<boolean>;
}

export interface OpenAssignments {
  items: Map<string, string[]>;
  /** The position of the next page; absent: there is none. */
  next?: string;
}

/** The dependencies of activities, provided by the worker or a test. */
export interface ActivityDependencies extends ModelsContext {
  logger: Logger;
  runs: RunInspector;
  /** Sends transient live events to readers of a chat: typing notices, and replies while they are written. */
  live: Pick<LivePublisher, 'signal'>;
  /** Absent if no carrier is configured. */
  carrier: Carrier | undefined;
  /** What calls should cost; absent: not known. */
  callPrices?: CallPrices | undefined;
  /** Absent if no mail server is configured. */
  mail: Mail | undefined;
  /** Sends the emails of inboxes. */
  email: {
    relay: EmailRelay;
    /** The domain for whose addresses the service's own relay sends; undefined: for none. */
    domain: string | undefined;
  };
  login: {
    secret: LoginSecret;
    /** The number that login codes are sent from; absent: no codes are sent by SMS. */
    smsFrom?: string;
    smsLimits: SmsLimits;
    /** Called with the reason why a code is not sent. It is for operators: the requester does not learn it. */
    notSent?(reason: NotSent): void;
  };
  /** Absent if no model is configured. */
  model: ChatModel | undefined;
  /** Looks up the proofs of domains of sites. */
  domainRecords: DomainRecords;
  /** Reads the sites that are crawled, with a pause of at least `delayMs` between two requests to a host. */
  crawl: { source: SourceSite; delayMs: number };
  /** The bytes of files. */
  storage: Storage;
  /** Makes the addresses at which the carrier fetches the files of messages. */
  fileAddresses: Pick<FileAddresses, 'addressOf'>;
  /** How many bytes the files of a workspace have at most. */
  bytesPerWorkspace: number;
  webhooks: {
    sender: WebhookSender;
    /** Decrypts the secrets that sign deliveries. */
    encryption: Encryption;
    /** The delay before each attempt, counted from the previous one. */
    retryDelaysMs: readonly number[];
  };
  /** Sends requests of agents to web services, and calls tools of remote MCP servers. */
  requests: {
    sender: RequestSender;
    remoteTools: RemoteTools;
    /** Decrypts the secrets that they carry. */
    encryption: Encryption;
  };
  /** Called with the condition of a provider's account after each call. */
  observeProvider?: (provider: ProviderName, condition: ProviderCondition) => void;
  /** Tells processes that hold calls that there are commands for them. */
  bridges: { commanded(processId: string): void };
  /** The URL at which the carrier reaches the api, without `/api/v2`. */
  publicUrl: string;
}
