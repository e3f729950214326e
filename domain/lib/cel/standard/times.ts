import { Duration } from '@marcbachmann/cel-js/evaluator';
import { fail } from './fail.js';

const nanosPerSecond = 1_000_000_000n;
/** Ten thousand years, as in protocol buffers. */
const maxDuration = 315_576_000_000n * nanosPerSecond;
/** The years 1 to 9999. */
const moments = { first: -62_135_596_800_000, last: 253_402_300_799_999 };

/** The sum or difference of timestamps and durations; undefined for any other operands. */
export function timeArithmetic(
  operator: '+' | '-',
  left: unknown,
  right: unknown,
): Date | Duration | undefined {
  if (operator === '+' && left instanceof Duration && right instanceof Date) return later(right, left);
  if (right instanceof Duration) {
    if (left instanceof Duration) {
      return durationOf(operator === '+' ? nanosOf(left) + nanosOf(right) : nanosOf(left) - nanosOf(right));
    }
    if (left instanceof Date) return operator === '+' ? later(left, right) : earlier(left, right);
  }
  if (operator === '-' && left instanceof Date && right instanceof Date) {
    return durationOf(BigInt(left.getTime() - right.getTime()) * 1_000_000n);
  }
  return undefined;
}

function later(moment: Date, duration: Duration): Date {
  return inRange(duration.extendTimestamp(moment));
}

function earlier(moment: Date, duration: Duration): Date {
  return inRange(duration.subtractTimestamp(moment));
}

function inRange(moment: Date): Date {
  const time = moment.getTime();
  return time >= moments.first && time <= moments.last ? moment : fail('timestamp_out_of_range');
}

function nanosOf({ seconds, nanos }: Duration): bigint {
  return seconds * nanosPerSecond + BigInt(nanos);
}

function durationOf(nanos: bigint): Duration {
  if (nanos > maxDuration || nanos < -maxDuration) fail('duration_out_of_range');
  return new Duration(nanos / nanosPerSecond, Number(nanos % nanosPerSecond));
}

const units: Record<string, bigint> = {
  h: 3_600n * nanosPerSecond,
  m: 60n * nanosPerSecond,
  s: nanosPerSecond,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};
/** Longer texts are no durations, and long numbers take long to read. */
const maxDurationText = 100;
/** Of the digits of a fraction, the ones that can make a difference. */
const fractionDigits = 13;

/** Reads a duration such as `1h30m`, `-1.5h` or `90s`. */
export function readDuration(text: string): Duration {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const part = /(\d*)(?:\.(\d*))?(ns|us|µs|ms|s|m|h)/y;
  let nanos = 0n;
  if (unsigned === '' || text.length > maxDurationText) fail('invalid_duration');
  while (part.lastIndex < unsigned.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(unsigned) ?? [];
    const length = units[unit];
    if (length === undefined) fail('invalid_duration');
    const digits = BigInt(fraction.slice(0, fractionDigits).padEnd(fractionDigits, '0'));
    nanos += BigInt(whole) * length + (digits * length) / 10n ** BigInt(fractionDigits);
  }
  return durationOf(text.startsWith('-') ? -nanos : nanos);
}

/** The seconds of a duration, such as `1.5s`, which `duration()` reads again. */
export function formatDuration(duration: Duration): string {
  const nanos = nanosOf(duration);
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % nanosPerSecond)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / nanosPerSecond}${fraction === '' ? '' : `.${fraction}`}s`;
}
