import type { Logger } from 'pino';
import type { LivePublisher } from '../db/live/live-publisher.js';
import type { ModelsContext } from '../domain/context.js';
import type { Carrier } from '../providers/carrier/carrier.js';
import type { ChatModel } from '../providers/model/chat-model.js';

/** Whether runs exist and how they ended, as the reconciler asks. Implemented by the runtime. */
export interface RunInspector {
  /** `missing` when there is no such run, or it is past its retention. */
  statusOf(workflowId: string): Promise<'running' | 'closed' | 'missing'>;
}

/** What activities need; given by the worker, or by a test. */
export interface ActivityDependencies extends ModelsContext {
  logger: Logger;
  runs: RunInspector;
  /** Tells those who follow a chat what is not kept: who types, and a reply as it is written. */
  live: Pick<LivePublisher, 'signal'>;
  /** Absent when no carrier is configured. */
  carrier: Carrier | undefined;
  /** Absent when no model is configured. */
  model: ChatModel | undefined;
  /** Where the carrier reaches us, without `/api/v2`. */
  publicUrl: string;
}
