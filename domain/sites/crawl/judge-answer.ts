import { decodeText } from '../../lib/decode-text.js';
import { crawlLimits } from './limits.js';
import type { SourceAnswer } from './source-answer.js';

type Answered = Extract<SourceAnswer, { kind: 'answered' }>;

/** What an answer means for the address that was asked for. */
export type Verdict =
  | { kind: 'contents'; answer: Answered }
  | { kind: 'unchanged' }
  | { kind: 'redirect'; location: string; status: number }
  /** It will not be asked again. */
  | { kind: 'settled'; outcome: string; status: number | null }
  /** It may be asked again. `byHost`: the host serves nobody at the moment. */
  | { kind: 'later'; byHost: boolean; retryAfterMs: number | undefined; status: number | null };

const busyStatuses = new Set([429, 502, 503, 504]);

export function judgeAnswer(answer: SourceAnswer): Verdict {
  if (answer.kind === 'failed') {
    const isPassing =
      answer.code === 'timed_out' || answer.code === 'connection' || answer.code === 'dns_failed';
    if (isPassing) return { kind: 'later', byHost: true, retryAfterMs: undefined, status: null };
    return { kind: 'settled', outcome: answer.code, status: null };
  }
  const { status, location, retryAfterMs } = answer;
  if (status === 304) return { kind: 'unchanged' };
  if (status >= 300 && status < 400 && location !== undefined) return { kind: 'redirect', location, status };
  if (status === 200) return { kind: 'contents', answer };
  if (status === 404 || status === 410) return { kind: 'settled', outcome: 'not_found', status };
  if (busyStatuses.has(status)) {
    const wait = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, crawlLimits.maxRetryAfterMs);
    return { kind: 'later', byHost: true, retryAfterMs: wait, status };
  }
  if (status === 408 || status >= 500)
    return { kind: 'later', byHost: false, retryAfterMs: undefined, status };
  return { kind: 'settled', outcome: 'refused', status };
}

/** The text of an answer, in the encoding that the header or the page names. */
export function textOfAnswer({ bytes, charset }: Pick<Answered, 'bytes' | 'charset'>): string {
  return decodeText(bytes, charset ?? charsetWithin(bytes));
}

/** A page whose charset can be read in ASCII is not in UTF-16, whatever it says. */
function charsetWithin(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  const named =
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w-]{2,40})/i.exec(beginning)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{2,40})/i.exec(beginning)?.[1];
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named;
}
