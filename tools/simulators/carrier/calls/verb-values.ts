import type { Instructions, Method } from './call-store.js';
import type { LiveCall } from './live-call.js';

/** What follows a verb: other instructions, the end of the call, or the next verb. */
export type Next = Instructions | 'hang_up' | undefined;

export interface Place {
  base: string | undefined;
  turn: AbortSignal;
}

/** An address of a document, which may be relative to that of the document; with a warning if it is none. */
export function addressIn(live: LiveCall, text: string, base: string | undefined): string | undefined {
  try {
    return new URL(text, base).href;
  } catch {
    live.warn(11100, `Invalid URL format: ${text}`);
    return undefined;
  }
}

export function methodOf(value: string | undefined): Method {
  return value?.toUpperCase() === 'GET' ? 'GET' : 'POST';
}

export function seconds(value: string | undefined, absent: number): number {
  const read = Number(value ?? absent);
  return Number.isFinite(read) && read >= 0 ? read : absent;
}
