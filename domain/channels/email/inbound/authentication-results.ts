import { domainOf, fromAddress } from './from-address.js';
import { type MailHeader, valuesOf } from './headers.js';
import { type Token, tokensOf } from './lexer.js';

interface MethodResult {
  method: string;
  result: string;
  /** `header.from` and the like, in lower case. */
  properties: ReadonlyMap<string, string>;
}

interface AuthenticationResults {
  authservId: string;
  results: MethodResult[];
}

/**
 * The address of the sender, if the receiving server says that the mail passes DMARC for its domain (RFC 8601, RFC 7489).
 * Only fields with exactly the server's id count, as the server removes those that others have added; and among these
 * exactly one result of DMARC, because text that a sender has put into one may look like a second one.
 * @param authservId of the server that receives for the inbox; null: nothing is trusted
 */
export function provedSender(header: MailHeader, authservId: string | null): string | null {
  const from = fromAddress(header.fields);
  if (from === null || authservId === null || !header.isWellFormed) return null;
  const id = authservId.toLowerCase();
  const results: MethodResult[] = [];
  for (const value of valuesOf(header.fields, 'authentication-results')) {
    const field = readResults(value);
    const isNamed = value.toLowerCase().includes(id) || field?.authservId === id;
    // One that names the server and cannot be read, or is written as no server writes it, may be the server's own.
    if (isNamed && (field === undefined || !isPlain(value, id, field))) return null;
    if (field?.authservId === id) results.push(...field.results);
  }
  const [dmarc, ...others] = results.filter(({ method }) => method === 'dmarc');
  if (dmarc === undefined || others.length > 0 || dmarc.result !== 'pass') return null;
  return dmarc.properties.get('header.from') === domainOf(from) ? from : null;
}

/** Whether a field begins with the id as it is, if it is the id's, and has ASCII characters only. */
function isPlain(value: string, id: string, { authservId }: AuthenticationResults): boolean {
  return /^[\t\x20-\x7e]*$/.test(value) && (authservId !== id || value.toLowerCase().startsWith(id));
}

/** Servers write a few hundred characters. */
const maxFieldLength = 16_384;

/** Reads an Authentication-Results field; undefined if any part of it does not have the form of RFC 8601. */
export function readResults(value: string): AuthenticationResults | undefined {
  const tokens = value.length > maxFieldLength ? undefined : tokensOf(value, ';=');
  if (tokens === undefined) return undefined;
  const [[id, version, ...more] = [], ...sections] = split(tokens);
  if (id === undefined || id.kind === 'special' || more.length > 0) return undefined;
  if (version !== undefined && (version.kind !== 'word' || version.text !== '1')) return undefined;
  const results: MethodResult[] = [];
  for (const section of sections) {
    const isNone = section.length === 1 && section[0]?.text.toLowerCase() === 'none';
    if (section.length === 0 || isNone) continue;
    const result = readSection(section);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return { authservId: id.text.toLowerCase(), results };
}

function split(tokens: readonly Token[]): Token[][] {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'special' && token.text === ';') sections.push([]);
    else sections.at(-1)?.push(token);
  }
  return sections;
}

/** `method=result reason="…" ptype.property=value …` */
function readSection(section: readonly Token[]): MethodResult | undefined {
  const pairs: [string, string][] = [];
  for (let at = 0; at < section.length; ) {
    const [name, equals, first] = section.slice(at, at + 3);
    if (name?.kind !== 'word' || equals?.kind !== 'special' || first === undefined) return undefined;
    if (first.kind === 'special') return undefined;
    let value = first.text;
    at += 3;
    // `"quoted local part"@example.org`, or `prvs=1234=ana@example.org`: a local part may have equals signs.
    for (let next = section[at]; next?.isGlued; next = section[at]) {
      value += next.text;
      at += 1;
    }
    pairs.push([name.text.toLowerCase(), value.toLowerCase()]);
  }
  const [[method, result] = ['', ''], ...properties] = pairs;
  const [name = '', version = '1'] = method.split('/');
  if (version !== '1' || new Set(properties.map(([property]) => property)).size < properties.length) {
    return undefined;
  }
  return { method: name, result, properties: new Map(properties) };
}
