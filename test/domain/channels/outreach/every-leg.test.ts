import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What methods of the ports of providers of telephony and mail do beside reaching somebody: every other one dials or sends. */
const reachesNobody = new Set([
  'findSms',
  'smsStatus',
  'listInbound',
  'listBilled',
  'listMedia',
  'fetchMedia',
  'verifySignature',
  'find',
  'status',
  'ask',
  'enter',
  // Steers a call that is there: what its answer dials is a step of its own.
  'end',
  'redirect',
]);
/** Providers that reach machines and no person. */
const ofMachines = new Set([
  'connection-agents.ts',
  'dns',
  'failures.ts',
  'identity-provider',
  'mcp',
  'model',
  'provider-state.ts',
  'public-fetch',
  'realtime',
  'requests',
  'retry-after.ts',
  'source-site',
  'storage',
  'webhook',
]);

const files = ['activities', 'api', 'domain', 'media', 'runtime', 'workflows'].flatMap(sourceFiles);
const texts = new Map([...files, ...sourceFiles('providers')].map((file) => [file, codeOf(file)]));
const textOf = (file: string) => texts.get(file) ?? '';

/** The ports through which somebody is reached: their names, and the methods that do. */
const ports = [
  ...readdirSync('providers')
    .filter((name) => !ofMachines.has(name))
    .flatMap((name) => sourceFiles(join('providers', name))),
  'activities/channels/channel-sender.ts',
].flatMap((file) =>
  [...textOf(file).matchAll(/export interface (\w+)[^{]*\{\n([\s\S]*?)\n\}/g)].flatMap(
    ([, name = '', body = '']) => {
      const methods = [...body.matchAll(/^ {2}(\w+)\??\(/gm)].map(([, method = '']) => method);
      const reaching = methods.filter((method) => !reachesNobody.has(method));
      return reaching.length === 0 ? [] : [{ name, reaching }];
    },
  ),
);

/** What activities take of their dependencies. */
const holds =
  /[dD]ependencies\.(carrier|mail|email)\b|\b(carrier|mail|email)\b[^\n]*\}(: \w*Dependencies| = dependencies)/;

/** Files that hold a port, by its type or by what activities have of it, and call what reaches somebody. */
function placesOf({ name, reaching }: (typeof ports)[number]): string[] {
  const isTyped = new RegExp(`\\b${name}\\b`);
  const calls = new RegExp(`[\\w)\\]]\\??\\.(${reaching.join('|')})\\(`);
  return files.filter(
    (file) => (isTyped.test(textOf(file)) || holds.test(textOf(file))) && calls.test(textOf(file)),
  );
}

/** A port made of another one hands on what it was given: who holds it is looked at. */
const wraps = new Set([
  'activities/kernel/guard-providers.ts',
  'activities/channels/send-own-message.ts',
  ...files.filter((file) => /\): ChannelSender \{/.test(textOf(file))),
]);
/** What is told to a carrier that waits for an answer: the number that it dials, and the words that it texts back. */
const answers = files.filter(
  (file) => /\bdo: 'dial',\n/.test(textOf(file)) && !/\bdo: 'dial';/.test(textOf(file)),
);
const texted = files.filter((file) => /\bkeywordReplies\[|\breply: replies\[/.test(textOf(file)));
const sendsOwn = files.filter((file) => /\bsendOwnMessage\(/.test(textOf(file)));
const places = [...new Set([...ports.flatMap(placesOf), ...sendsOwn])].filter((file) => !wraps.has(file));
/** What the service itself says to people, by the kind of its notice. */
const notices = files.filter((file) => /: NoticeKind<\w+Row, /.test(textOf(file)));

/** Where a place may be refused: what asks says so by the name of what it calls. */
const asks = /\b(refusalOf(Code|Destination|Begun)?|answersKeyword|mayAnswerKeyword)\(/;
const gate = /^domain\/channels\/(outreach\/gate|phone-numbers\/phone-destination)\.ts$/;

/** Whether a file asks the gate, itself or by what it imports and calls, in at most so many steps. */
function asksGate(file: string, steps: number): boolean {
  const imported = importsOf(file);
  if (asks.test(textOf(file)) && imported.some(({ path }) => gate.test(path))) return true;
  if (steps === 0) return false;
  return imported.some(
    ({ path, names }) =>
      names.some(isCalledIn(file)) &&
      /\/(claim-|answer-|begin-|\w+-gate\.ts)/.test(path) &&
      asksGate(path, steps - 1),
  );
}

function isCalledIn(file: string): (name: string) => boolean {
  return (name) => new RegExp(`\\b${name}\\(`).test(textOf(file));
}

describe('whatever dials or sends', () => {
  it('is found by the ports of the providers', () => {
    expect(ports.map(({ name, reaching }) => `${name}: ${reaching.join(' ')}`).sort()).toEqual(
      expect.arrayContaining([
        'Carrier: sendSms',
        'CarrierCalls: create',
        'ChannelSender: send',
        'EmailRelay: send',
        'Mail: send',
      ]),
    );
    expect(places.length).toBeGreaterThanOrEqual(4);
    expect([answers.length, texted.length, notices.length]).toEqual([1, 2, 2]);
  });

  it.each(places)('is claimed, once, from what asks the gate: %s', (file) => {
    expect(textOf(file)).toMatch(/\bperformOnce\b/);
    const claims = importsOf(file).filter(
      ({ path, names }) =>
        /\/claim-[\w-]+\.ts$/.test(path) && names.some(isCalledIn(file)) && asksGate(path, 2),
    );
    expect(claims.map(({ path }) => path)).toHaveLength(1);
  });

  it.each(notices)('has an address from what asks the gate: %s', (file) => {
    const given = importsOf(file).filter(({ path }) =>
      /(?<!function )\baddressOfRecipient\(/.test(textOf(path)),
    );
    expect(given.map(({ path }) => path)).toHaveLength(1);
  });

  it.each([...answers, ...texted])('asks the gate before the carrier is answered: %s', (file) => {
    expect(asksGate(file, 2)).toBe(true);
  });

  it('is refused by this test where it asks nothing', () => {
    const file = 'activities/new-place.ts';
    texts.set(file, 'const send = (dependencies) => dependencies.carrier.sendSms({ to })');
    files.push(file);
    const found = ports.flatMap(placesOf);
    files.pop();
    expect(found).toContain(file);
    expect(asksGate(file, 2)).toBe(false);
  });
});

function sourceFiles(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
}

/** Without comments, which name what they are about. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

function importsOf(file: string): { path: string; names: string[] }[] {
  const found = textOf(file).matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)\.js'/g);
  return [...found]
    .map(([, names = '', path = '']) => ({
      path: normalize(join(dirname(file), `${path}.ts`)),
      names: names.split(',').map((name) => name.replace('type ', '').trim().split(' as ').at(-1) ?? ''),
    }))
    .filter(({ path }) => existsSync(path));
}
