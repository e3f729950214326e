import type { Context } from 'koa';
import type { Actor } from '../../domain/kernel/actor.js';
import type { ModelsContext } from '../../domain/kernel/context.js';
import type { Prefetch } from '../http/pipeline/prefetch.js';
import type { HandlerInput } from '../http/route.js';

/** How many of how many are done. */
export interface Counted {
  progress: number;
  total: number;
}

/** An authenticated request of an AI client. */
export interface Visit {
  ctx: Context;
  /** With the member for which the client acts. */
  context: ModelsContext & { actor: Actor };
  /** Of the one call that the request makes, where its queries were sent with the look-up of the token. */
  prefetch: Prefetch | undefined;
  /** Aborted when the client cancels its call, or goes. */
  signal?: AbortSignal | undefined;
  /** Called once the run that a call waits for has begun. */
  begun?: ((input: Pick<HandlerInput, 'requestUuid' | 'params'>) => void) | undefined;
  /** Told how far a call is that counts what it does. */
  tell?: ((counted: Counted) => void) | undefined;
}
