const maxLineLength = 998;
/** Each of these stands in a message exactly once (RFC 5322, 3.6). */
const onlyOnce = ['date', 'from', 'message-id', 'to', 'subject'];
const requiredOnes = new Set(['date', 'from', 'message-id']);

/** What a strict relay refuses a message for; undefined if it takes it. */
export function findFault(raw: Buffer): string | undefined {
  const text = raw.toString('latin1');
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) return 'a line does not end with CRLF';
  const lines = text.split('\r\n');
  if (lines.some(({ length }) => length > maxLineLength)) return 'a line is too long';
  const head = lines.slice(0, lines.indexOf(''));
  if (head.some((line) => /[^\t -~]/.test(line))) return 'a header is not ASCII';
  const names = head
    .filter((line) => !/^[ \t]/.test(line))
    .map((line) => line.split(':', 1)[0]?.toLowerCase());
  if (names.includes('bcc')) return 'there is a Bcc header';
  for (const name of onlyOnce) {
    const count = names.filter((other) => other === name).length;
    if (count > 1) return `there are ${count} headers ${name}`;
    if (count === 0 && requiredOnes.has(name)) return `there is no header ${name}`;
  }
  return undefined;
}
