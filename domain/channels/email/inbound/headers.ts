/** A header field as it came, unfolded. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  value: string;
}

export interface MailHeader {
  fields: readonly HeaderField[];
  /**
   * Whether every program reads the same fields. Otherwise the server that authenticated the mail may have seen another
   * sender than we do, so that nothing in the header proves who wrote it.
   */
  isWellFormed: boolean;
  /** Where the body begins. */
  bodyAt: number;
}

/** Far above what mail servers accept. */
export const maxHeaderBytes = 262_144;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const fieldForm = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:([\s\S]*)$/;
const misleading = /[\0\r]/;

/** Reads the header of a mail (RFC 5322); undefined if it does not end within `maxHeaderBytes`. @param bytes its beginning */
export function readHeader(bytes: Buffer): MailHeader | undefined {
  const fields: HeaderField[] = [];
  const endings = new Set<string>();
  let isWellFormed = true;
  let at = afterEnvelope(bytes);
  for (;;) {
    const end = bytes.indexOf(lineFeed, at);
    if (end < 0 || end > maxHeaderBytes) return undefined;
    const hasReturn = bytes[end - 1] === carriageReturn && end > at;
    endings.add(hasReturn ? 'crlf' : 'lf');
    const line = bytes.toString('utf8', at, hasReturn ? end - 1 : end);
    at = end + 1;
    if (line === '') break;
    // A line of blanks ends the header for some programs.
    if (misleading.test(line) || line.trim() === '') isWellFormed = false;
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last === undefined) isWellFormed = false;
      else last.value += ` ${line.trim()}`;
      continue;
    }
    const [, name, value = ''] = fieldForm.exec(line) ?? [];
    if (name === undefined) isWellFormed = false;
    else fields.push({ name: name.toLowerCase(), value: value.trim() });
  }
  return { fields, isWellFormed: isWellFormed && endings.size === 1, bodyAt: at };
}

/** Pipes of mail servers put the sender of the envelope into a line of its own, as mbox has it (RFC 4155): no field, and nobody's proof. */
function afterEnvelope(bytes: Buffer): number {
  const isEnvelope = /^From (?![ \t]*:)/.test(bytes.toString('latin1', 0, 1_000));
  return isEnvelope ? bytes.indexOf(lineFeed) + 1 : 0;
}

/** The values of all fields of a name, in their order. */
export function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}

/** Visible ASCII only: the database takes no zero bytes. */
const idForm = /<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>/g;
/** Threads are found by the newest ids, which stand at the end of References. */
const maxIds = 30;

/** The Message-IDs that a mail answers, with angle brackets: those of In-Reply-To first, then those of References. */
export function answeredIds(fields: readonly HeaderField[]): string[] {
  const idsIn = (name: string) => valuesOf(fields, name).flatMap((value) => value.match(idForm) ?? []);
  const ids = [...idsIn('in-reply-to').slice(0, maxIds), ...idsIn('references').slice(-maxIds).reverse()];
  return [...new Set(ids)].slice(0, 2 * maxIds);
}

/** The Message-ID of a mail; null without one, or with several. */
export function messageIdOf(fields: readonly HeaderField[]): string | null {
  const ids = valuesOf(fields, 'message-id').flatMap((value) => value.match(idForm) ?? []);
  return ids.length === 1 ? (ids[0] ?? null) : null;
}
