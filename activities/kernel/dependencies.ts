import type { Logger } from 'pino';
import type { LivePublisher } from '../../db/live/live-publisher.js';
import type { NotSent } from '../../domain/identity/login-codes/claim-login-code.js';
import type { LoginSecret } from '../../domain/identity/login-codes/login-secret.js';
import type { SmsLimits } from '../../domain/identity/login-codes/sms-limits.js';
import type { ModelsContext } from '../../domain/kernel/context.js';
import type { Encryption } from '../../domain/lib/encryption.js';
import type { Carrier } from '../../providers/carrier/carrier.js';
import type { ProviderName } from '../../providers/failures.js';
import type { Mail } from '../../providers/mail/mail.js';
import type { ChatModel } from '../../providers/model/chat-model.js';
import type { ProviderCondition } from '../../providers/provider-state.js';
import type { WebhookSender } from '../../providers/webhook/webhook-sender.js';

/** Whether runs exist and how they ended, as the reconciler asks. Implemented by the runtime. */
export interface RunInspector {
  /** `missing` when there is no such run, or it is past its retention. */
  statusOf(workflowId: string): Promise<'running' | 'closed' | 'missing'>;
  /**
   * Uuids of assignments whose runs ended otherwise than by themselves since then, by the uuid of their workspace; some
   * thousands at most.
   */
  listClosedAssignments(since: Date): Promise<Map<string, string[]>>;
}

/** What activities need; given by the worker, or by a test. */
export interface ActivityDependencies extends ModelsContext {
  logger: Logger;
  runs: RunInspector;
  /** Tells those who follow a chat what is not kept: who types, and a reply as it is written. */
  live: Pick<LivePublisher, 'signal'>;
  /** Absent when no carrier is configured. */
  carrier: Carrier | undefined;
  /** Absent when no mail server is configured. */
  mail: Mail | undefined;
  login: {
    secret: LoginSecret;
    /** The number that login codes are sent from; absent: none are sent by SMS. */
    smsFrom?: string;
    smsLimits: SmsLimits;
    /** Told why a code is not sent; for operators, as whoever asked is not told. */
    notSent?(reason: NotSent): void;
  };
  /** Absent when no model is configured. */
  model: ChatModel | undefined;
  webhooks: {
    sender: WebhookSender;
    /** Reads the secrets that deliveries are signed with. */
    encryption: Encryption;
    /** Before each attempt, after the one before. */
    retryDelaysMs: readonly number[];
  };
  /** Told the condition of a provider's account after each call. */
  observeProvider?: (provider: ProviderName, condition: ProviderCondition) => void;
  /** Where the carrier reaches us, without `/api/v2`. */
  publicUrl: string;
}
