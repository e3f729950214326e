import type { Target } from './figure.js';
import type { Result } from './measure.js';

export function table(results: readonly Result[]): string {
  return columns([
    ['figure', 'floor', 'service', 'unit', 'ratio', 'target', ''],
    ...results.map((result) => [
      result.title,
      result.floor === null ? '' : rounded(result.floor),
      rounded(result.measured),
      result.unit,
      besideFloor(result),
      targetText(result.target, result.unit),
      result.met ? 'met' : 'MISSED',
    ]),
  ]);
}

/** Rows as lines whose columns are as wide as their widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

export function misses(results: readonly Result[]): string[] {
  return results
    .filter(({ met }) => !met)
    .map((result) => {
      const { name, measured, unit, target } = result;
      const is = besideFloor(result) || `${rounded(measured)} ${unit}`;
      return `${name}: ${is}, and has to be ${targetText(target, unit)}.`;
    });
}

/** The ratio, or the difference if that is what counts; nothing without a floor. */
function besideFloor({ ratio, difference, unit, target }: Result): string {
  if (ratio === null || difference === null) return '';
  if (!('moreAtMost' in target)) return ratio.toFixed(2);
  return `${difference < 0 ? '' : '+'}${difference.toFixed(2)} ${unit}`;
}

function targetText(target: Target, unit: Result['unit']): string {
  if ('atMost' in target) return `at most ${target.atMost} ${unit}`;
  if ('moreAtMost' in target) return `at most +${target.moreAtMost} ${unit}`;
  return 'ratioAtLeast' in target ? `at least ${target.ratioAtLeast}` : `at most ${target.ratioAtMost}`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
