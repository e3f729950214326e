import { median } from '../../test/support/lib/statistics.js';
import type { Result } from './measure.js';
import { columns } from './report.js';

/** A result as an older tree wrote it as well. */
export type Measured = Pick<Result, 'name' | 'unit' | 'target' | 'measured' | 'ratio'>;

/** How much a figure may fall. */
const mostOff = 0.05;

/** What the target is of: the ratio to the floor, or the value of the service itself. */
export const countedOf = ({
  target,
  measured,
  ratio,
}: Pick<Result, 'target' | 'measured' | 'ratio'>): number =>
  'atMost' in target || 'moreAtMost' in target ? measured : (ratio ?? measured);

const isBetterHigher = ({ target }: Pick<Result, 'target'>): boolean => 'ratioAtLeast' in target;

/** A difference of times may be below zero: less than a twentieth of what is allowed is as good as nothing. */
const orNothing = ({ target }: Pick<Result, 'target'>, value: number): number =>
  'atMost' in target ? Math.max(value, mostOff * target.atMost) : value;

export interface Relation {
  name: string;
  base: number;
  head: number;
  /** Head to base. */
  relation: number;
  fell: boolean;
}

/** Relates the medians of what was measured in two trees, in as many rounds each. */
export function relate(bases: readonly Measured[], heads: readonly Measured[]): Relation {
  const [first] = heads;
  if (first === undefined) throw new Error('nothing was measured');
  const [base, head] = [median(bases.map(countedOf)), median(heads.map(countedOf))];
  const relation = orNothing(first, head) / orNothing(first, base);
  const gain = isBetterHigher(first) ? relation : 1 / relation;
  return { name: first.name, base, head, relation, fell: gain < 1 - mostOff };
}

export function relationTable(relations: readonly Relation[]): string {
  return columns([
    ['figure', 'base', 'head', 'head/base', ''],
    ...relations.map(({ name, base, head, relation, fell }) => [
      name,
      base.toPrecision(3),
      head.toPrecision(3),
      relation.toFixed(3),
      fell ? 'FELL' : '',
    ]),
  ]);
}

/** How far a result is beyond its target: 1 where it is just met, and more where it is better. */
export function beyondTarget(result: Pick<Result, 'target' | 'measured' | 'ratio' | 'difference'>): number {
  const { target } = result;
  if ('ratioAtLeast' in target) return countedOf(result) / target.ratioAtLeast;
  if ('ratioAtMost' in target) return target.ratioAtMost / countedOf(result);
  const [most, is] =
    'atMost' in target ? [target.atMost, result.measured] : [target.moreAtMost, result.difference ?? 0];
  return is <= 0 ? Number.POSITIVE_INFINITY : most / is;
}
