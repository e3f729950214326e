import type { Target } from './figure.js';
import type { Result } from './measure.js';

export function table(results: readonly Result[]): string {
  const rows = [
    ['figure', 'floor', 'service', 'unit', 'ratio', 'target', ''],
    ...results.map((result) => [
      result.title,
      result.floor === null ? '' : rounded(result.floor),
      rounded(result.measured),
      result.unit,
      result.ratio === null ? '' : result.ratio.toFixed(2),
      targetText(result.target, result.unit),
      result.met ? 'met' : 'MISSED',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

export function misses(results: readonly Result[]): string[] {
  return results
    .filter(({ met }) => !met)
    .map(({ name, ratio, measured, unit, target }) => {
      const is = ratio === null ? `${rounded(measured)} ${unit}` : ratio.toFixed(2);
      return `${name}: ${is}, and has to be ${targetText(target, unit)}.`;
    });
}

function targetText(target: Target, unit: Result['unit']): string {
  if ('atMost' in target) return `at most ${target.atMost} ${unit}`;
  return 'ratioAtLeast' in target ? `at least ${target.ratioAtLeast}` : `at most ${target.ratioAtMost}`;
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
