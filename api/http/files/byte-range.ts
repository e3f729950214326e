/** Positions of the first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

const unit = /^bytes=/i;
const form = /^[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/;
/** More ranges are no request of a reader (RFC 9110, section 17.15). */
const maxRanges = 100;

/**
 * Reads a `Range` header (RFC 9110, section 14.2). Overlapping and adjacent ranges are one range. Undefined if the whole
 * is answered: for another unit, an invalid header, and ranges with gaps between them, which would need a multipart
 * answer that hardly any client reads.
 */
export function readRange(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (!unit.test(header)) return undefined;
  const specs = header.replace(unit, '').split(',', maxRanges + 1);
  if (specs.length > maxRanges) return undefined;
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = rangeOf(spec, bytes);
    if (range === undefined) return undefined;
    if (range.start <= range.end) ranges.push(range);
  }
  return ranges.length === 0 ? 'unsatisfiable' : combined(ranges);
}

/** The range of one part of the header, whose start is behind its end if it begins beyond the file. */
function rangeOf(spec: string, bytes: number): ByteRange | undefined {
  const [found, first, last, suffix] = form.exec(spec) ?? [];
  if (found === undefined) return undefined;
  if (suffix !== undefined) return { start: Math.max(0, bytes - Number(suffix)), end: bytes - 1 };
  const start = Number(first);
  if (last === undefined || last === '') return { start, end: bytes - 1 };
  return Number(last) < start ? undefined : { start, end: Math.min(Number(last), bytes - 1) };
}

function combined(ranges: ByteRange[]): ByteRange | undefined {
  const [whole, ...others] = ranges.sort((one, other) => one.start - other.start) as [
    ByteRange,
    ...ByteRange[],
  ];
  for (const { start, end } of others) {
    if (start > whole.end + 1) return undefined;
    whole.end = Math.max(whole.end, end);
  }
  return whole;
}
