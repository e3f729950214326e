import { carrierError } from '../carrier-errors.js';
import { isUrl } from '../is-url.js';
import type { CallSettings, Detection, Method } from './call-store.js';

/** Numbers that the carrier reserves for errors of calls ("Test credentials"). */
const reserved: Record<string, number> = {
  '+15005550001': 21217,
  '+15005550002': 21214,
  '+15005550003': 21215,
  '+15005550004': 21216,
};
const events: ReadonlySet<string> = new Set(['initiated', 'ringing', 'answered', 'completed']);
const e164 = /^\+[1-9]\d{6,14}$/;

/** Reads and checks what a call is created with. @throws HttpFailure with the carrier's code */
export function readSettings(form: URLSearchParams): { from: string; to: string; settings: CallSettings } {
  const [from, to] = [form.get('From') ?? '', form.get('To') ?? ''];
  if (to === '') throw carrierError(21201);
  if (from === '') throw carrierError(21213);
  if (!e164.test(to)) throw carrierError(21211);
  if (!e164.test(from)) throw carrierError(21212);
  const code = reserved[to];
  if (code !== undefined) throw carrierError(code);
  return {
    from,
    to,
    settings: {
      instructions: instructionsIn(form),
      statusCallback: addressIn(form, 'StatusCallback', 21609),
      statusEvents: eventsIn(form),
      ringSeconds: wholeIn(form, 'Timeout', { absent: 60, from: 1, to: 600 }),
      maxSeconds: wholeIn(form, 'TimeLimit', { absent: 14_400, from: 1, to: 14_400 }),
      detection: detectionIn(form),
    },
  };
}

/** New instructions for a call, from a form of creating or updating it. */
export function instructionsIn(form: URLSearchParams): CallSettings['instructions'] {
  const url = addressIn(form, 'Url', 21205);
  if (url !== undefined) {
    return { url, method: methodIn(form, 'Method'), fallbackUrl: addressIn(form, 'FallbackUrl', 21205) };
  }
  const twiml = form.get('Twiml') ?? '';
  if (twiml === '' || twiml.length > 4_000) throw carrierError(twiml === '' ? 21205 : 20001);
  return { twiml };
}

function eventsIn(form: URLSearchParams): readonly string[] {
  const given = form.getAll('StatusCallbackEvent');
  if (!given.every((event) => events.has(event))) throw carrierError(21626);
  return given.length === 0 ? ['completed'] : given;
}

function detectionIn(form: URLSearchParams): Detection | undefined {
  const mode = form.get('MachineDetection');
  if (mode === null) return undefined;
  if (mode !== 'Enable' && mode !== 'DetectMessageEnd') throw carrierError(20001);
  wholeIn(form, 'MachineDetectionTimeout', { absent: 30, from: 3, to: 59 });
  const callback = addressIn(form, 'AsyncAmdStatusCallback', 21609);
  return { mode, callback: form.get('AsyncAmd') === 'true' ? callback : undefined };
}

function addressIn(form: URLSearchParams, name: string, code: number): string | undefined {
  const value = form.get(name);
  if (value === null) return undefined;
  if (!isUrl(value) || !/^https?:/.test(value)) throw carrierError(code);
  return value;
}

function methodIn(form: URLSearchParams, name: string): Method {
  const value = form.get(name) ?? 'POST';
  if (value !== 'GET' && value !== 'POST') throw carrierError(20001);
  return value;
}

function wholeIn(
  form: URLSearchParams,
  name: string,
  { absent, from, to }: { absent: number; from: number; to: number },
): number {
  const value = Number(form.get(name) ?? absent);
  if (!Number.isInteger(value) || value < from || value > to) throw carrierError(20001);
  return value;
}
