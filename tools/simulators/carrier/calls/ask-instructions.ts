import { postWebhook, type WebhookResult } from '../post-webhook.js';
import { callFields } from './call-fields.js';
import type { Instructions } from './call-store.js';
import type { LiveCall } from './live-call.js';
import { readTwiml, type Verb } from './read-twiml.js';

/** What a call is to do, and the address that its own addresses are relative to. */
export interface Document {
  verbs: Verb[];
  base: string | undefined;
}

/** Asks for what a call is to do, and reads it. Undefined if there is nothing to do: the call then ends. */
export async function ask(live: LiveCall, instructions: Instructions): Promise<Document | undefined> {
  if ('twiml' in instructions) return read(live, instructions.twiml, undefined);
  const { url, method, fallbackUrl, fields = {} } = instructions;
  const answer = await request(live, { url, method, fields });
  const document = answer === undefined ? undefined : read(live, answer, url);
  if (document !== undefined || fallbackUrl === undefined) return document;
  const code = String(live.call.alerts.at(-1)?.code ?? '');
  const again = await request(live, {
    url: fallbackUrl,
    method,
    fields: { ...fields, ErrorCode: code, ErrorUrl: url },
  });
  return again === undefined ? undefined : read(live, again, fallbackUrl);
}

/** Sends a request for instructions, twice by the knob; the last answer counts. */
async function request(
  live: LiveCall,
  { url, method, fields }: { url: string; method: 'GET' | 'POST'; fields: Record<string, string> },
): Promise<string | undefined> {
  const { accountSid, knobs } = live.exchange;
  const answeredBy = live.call.answeredBy === null ? {} : { AnsweredBy: live.call.answeredBy };
  const all = { ...callFields(accountSid, live.call), ...answeredBy, ...fields };
  const times = knobs.takes(live.handset, 'askedTwice') ? 2 : 1;
  let answer: string | undefined;
  for (let time = 0; time < times; time += 1) answer = await requestOnce(live, { url, method, fields: all });
  return answer;
}

export async function requestOnce(
  live: LiveCall,
  { url, method, fields }: { url: string; method: 'GET' | 'POST'; fields: Record<string, string> },
): Promise<string | undefined> {
  const { sender, store } = live.exchange;
  const result = await postWebhook(sender, url, fields, method);
  const [httpStatus, answer] = result.outcome === 'answered' ? [result.httpStatus, result.text] : [null, ''];
  store.note(live.call, 'asked', { url, method, httpStatus, answer });
  const problem = problemOf(result);
  if (problem === undefined) return answer;
  live.warn(...problem);
  return undefined;
}

function problemOf(result: WebhookResult): [code: number, message: string] | undefined {
  if (result.outcome === 'timeout') return [11205, 'HTTP connection failure: no answer in time'];
  if (result.outcome !== 'answered') return [11200, 'HTTP retrieval failure: no connection'];
  if (result.httpStatus >= 300) return [11200, `HTTP retrieval failure: status ${result.httpStatus}`];
  if (!/^(text|application)\/xml\b/.test(result.contentType)) return [12300, 'Invalid Content-Type'];
  return undefined;
}

function read(live: LiveCall, xml: string, base: string | undefined): Document | undefined {
  const result = readTwiml(xml);
  if ('failure' in result) {
    live.warn(result.failure.code, result.failure.message);
    return undefined;
  }
  for (const { code, message } of result.problems) live.warn(code, message);
  return { verbs: result.verbs, base };
}
