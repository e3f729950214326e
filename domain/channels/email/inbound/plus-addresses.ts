import { type HeaderField, valuesOf } from './headers.js';

/** A token in an address of ours: `reply` leads to a thread, `return` to what was sent. It authenticates nobody. */
export interface AddressToken {
  kind: 'reply' | 'return';
  token: string;
}

/** Where servers write for whom a mail is, which its To and Cc need not say: it may be sent again, or forwarded. */
const recipientFields = [
  'to',
  'cc',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
  'resent-to',
  'resent-cc',
];

const kinds: Partial<Record<string, AddressToken['kind']>> = { r: 'reply', b: 'return' };
const form = /[a-z0-9._-]{1,32}\+([rb])\.([a-z2-7]{26})@[a-z0-9]/gi;
const maxTokens = 10;

/** The tokens in the recipients of a mail, each once. */
export function tokensInRecipients(fields: readonly HeaderField[]): AddressToken[] {
  const found = new Map<string, AddressToken>();
  for (const [, letter = '', token = ''] of recipients(fields).matchAll(form)) {
    const kind = kinds[letter.toLowerCase()];
    if (kind !== undefined) found.set(token.toLowerCase(), { kind, token: token.toLowerCase() });
    if (found.size === maxTokens) break;
  }
  return [...found.values()];
}

/** Whether an address, in lower case, is among the recipients. */
export function isRecipient(fields: readonly HeaderField[], address: string): boolean {
  return recipients(fields)
    .toLowerCase()
    .split(/[\s<>,;:"()]+/)
    .includes(address);
}

function recipients(fields: readonly HeaderField[]): string {
  return recipientFields.flatMap((name) => valuesOf(fields, name)).join(', ');
}

/** Whether answers to a mail go to an address with a token, which only the service writes. */
export function hasOwnReplyAddress(fields: readonly HeaderField[]): boolean {
  return ['reply-to', 'return-path'].some((name) =>
    valuesOf(fields, name).some((value) => value.search(form) >= 0),
  );
}
