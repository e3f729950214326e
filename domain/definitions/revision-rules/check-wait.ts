import { isNeverTrue } from '../../lib/cel/environment.js';
import { inspectExpression } from '../../lib/cel.js';
import type { FieldError } from '../../lib/errors.js';
import { readMoment } from '../../lib/local-time.js';

const awaited = ['for', 'until', 'condition', 'event'] as const;

/** Checks what a wait waits for, in a revision that is published. */
export function checkWait(configuration: Record<string, unknown>): FieldError[] {
  const given = awaited.filter((key) => configuration[key] !== undefined);
  if (given.length !== 1) {
    const message = 'a wait needs exactly one of for, until, condition and event';
    return [{ pointer: '/configuration', message }];
  }
  return [
    ...checkUntil(configuration.until),
    ...checkCondition(configuration.condition),
    ...checkAtMost(configuration.atMost, given[0]),
  ];
}

/** Checks a fixed time; a template has no value yet. */
function checkUntil(until: unknown): FieldError[] {
  if (typeof until !== 'string' || until.includes('{{')) return [];
  if (readMoment(until.trim(), 'UTC') !== undefined) return [];
  const message = 'is not an ISO 8601 date or time such as 2030-01-31T10:00 or 2030-01-31T10:00+01:00';
  return [{ pointer: '/configuration/until', message }];
}

/** Nothing wakes a run because time passes, so a condition that reads `now` would become true unnoticed. */
function checkCondition(condition: unknown): FieldError[] {
  if (typeof condition !== 'string') return [];
  const pointer = '/configuration/condition';
  if (isNeverTrue(condition)) return [{ pointer, message: 'this is never true, so the wait has no end' }];
  if (!inspectExpression(condition).usesNow) return [];
  return [{ pointer, message: 'a condition that is waited for cannot read now: until waits for a time' }];
}

function checkAtMost(atMost: unknown, key: string | undefined): FieldError[] {
  if (atMost === undefined || key === 'condition' || key === 'event') return [];
  const message = 'is the time limit of a condition or an event';
  return [{ pointer: '/configuration/atMost', message }];
}
