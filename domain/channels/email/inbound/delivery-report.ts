import { messageIdOf, readHeader, valuesOf } from './headers.js';
import { tokensOf } from './lexer.js';

/** A part of a mail that is of a type for programs. */
export interface ReportPart {
  type: string;
  /** Its beginning. */
  content: Buffer;
}

/** What a server says of a message that we sent. */
export interface DeliveryReport {
  kind: 'failed' | 'delayed' | 'delivered' | 'complaint';
  /** Of RFC 3463, such as `5.1.1`; null if there is none. */
  status: string | null;
  /** The addresses that it is about, in lower case: other than that of our recipient where the recipient forwards its mail. */
  recipients: string[];
  /** The Message-ID of the message, if its header came with the report. */
  messageId: string | null;
}

const kinds: Partial<Record<string, DeliveryReport['kind']>> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
};

const statusForm = /^([245]\.\d{1,3}\.\d{1,3})/;
const complaints = new Set(['abuse', 'fraud', 'not-spam', 'opt-out', 'opt-out-list', 'virus', 'other']);

/**
 * Reads a delivery status notification (RFC 3464) or a feedback report (RFC 5965); undefined if the mail is neither. The
 * status decides, rather than words that servers write for people.
 */
export function readReport(parts: readonly ReportPart[]): DeliveryReport | undefined {
  const messageId = originalId(parts);
  const feedback = parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback !== undefined) {
    const type = firstValue(blocksOf(feedback.content)[0], 'feedback-type')?.toLowerCase();
    // A report that a message is not spam is none.
    if (type === undefined || !complaints.has(type) || type === 'not-spam') return undefined;
    return { kind: 'complaint', status: null, recipients: [], messageId };
  }
  // The first block is about the message, each other one about a recipient. We send to one recipient each.
  for (const block of parts
    .filter(({ type }) => isStatus(type))
    .flatMap(({ content }) => blocksOf(content))) {
    const action = firstValue(block, 'action')
      ?.toLowerCase()
      .split(/[\s(;]/, 1)[0];
    const [, status = null] = statusForm.exec(firstValue(block, 'status') ?? '') ?? [];
    const kind = action === undefined ? undefined : kinds[action];
    if (kind === undefined) continue;
    // A failure with the class 4 is one that was given up.
    return { kind, status, recipients: recipientsIn(block), messageId };
  }
  return undefined;
}

/** Of RFC 3464, or of RFC 6533, which has addresses in UTF-8. */
function isStatus(type: string): boolean {
  return type === 'message/delivery-status' || type === 'message/global-delivery-status';
}

const originals = new Set([
  'message/rfc822',
  'text/rfc822-headers',
  'message/global',
  'message/global-headers',
]);

function originalId(parts: readonly ReportPart[]): string | null {
  const original = parts.find(({ type }) => originals.has(type));
  return original === undefined ? null : messageIdOf(readHeader(closed(original.content))?.fields ?? []);
}

type Block = ReturnType<typeof readHeader>;

function blocksOf(content: Buffer): Block[] {
  const blocks: Block[] = [];
  let rest = closed(content);
  while (rest.length > 0 && blocks.length < 20) {
    const block = readHeader(rest);
    if (block === undefined) break;
    if (block.fields.length > 0) blocks.push(block);
    rest = rest.subarray(block.bodyAt);
  }
  return blocks;
}

/** With the empty line that ends a header, which a part that has nothing else may lack. */
function closed(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.from('\n\n')]);
}

const recipientFields = ['final-recipient', 'original-recipient', 'x-actual-recipient'];

function recipientsIn(block: Block): string[] {
  const values = recipientFields.flatMap((name) => firstValue(block, name) ?? []);
  return [...new Set(values.flatMap((value) => recipientIn(value) ?? []))];
}

/** `rfc822; a@b`, which servers write with comments and angle brackets as well, in any case. */
function recipientIn(value: string): string | undefined {
  const tokens = value.length > maxRecipientLength ? undefined : tokensOf(value, ';<>');
  const [type, ...address] = tokens?.filter(({ text }) => text !== '<' && text !== '>') ?? [];
  const isTyped = address[0]?.kind === 'special' && address[0].text === ';';
  const words = isTyped ? address.slice(1) : type === undefined ? [] : [type, ...address];
  const written = words
    .map(({ text }) => text)
    .join('')
    .toLowerCase();
  if (written === '') return undefined;
  return type?.text.toLowerCase() === 'utf-8' ? unescaped(written) : written;
}

const maxRecipientLength = 2_000;

/** `\\x{e9}` is é (RFC 6533, section 3). */
function unescaped(address: string): string {
  return address.replace(/\\x\{([0-9a-f]{2,6})\}/g, (whole, code: string) => {
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function firstValue(block: Block, name: string): string | undefined {
  return block === undefined ? undefined : valuesOf(block.fields, name)[0];
}
