import { isNeverTrue } from '../../lib/cel/environment.js';
import { type CelContext, inspectExpression, isFixedExpression } from '../../lib/cel.js';
import { latestMoment } from '../../lib/duration.js';
import { readMoment } from '../../lib/local-time.js';
import { expressionsOf, renderTemplate } from '../../lib/template.js';
import type { Finding } from './findings.js';

const awaited = ['for', 'until', 'condition', 'event'] as const;

/** Checks what a wait waits for, in a revision that is published. */
export function checkWait(configuration: Record<string, unknown>, now: Date): Finding[] {
  const given = awaited.filter((key) => configuration[key] !== undefined);
  if (given.length !== 1) {
    const message = 'a wait needs exactly one of for, until, condition and event';
    return [{ pointer: '/configuration', message }];
  }
  return [
    ...checkUntil(configuration.until, now),
    ...checkCondition(configuration.condition),
    ...checkAtMost(configuration.atMost, given[0]),
    ...(given[0] === 'condition' || given[0] === 'event' ? checkTimeLimit(configuration) : []),
  ];
}

/** Warns of what may wait for ever for a member or a system. */
export function checkTimeLimit({ atMost }: Record<string, unknown>): Finding[] {
  if (atMost !== undefined) return [];
  const message = 'has no atMost: if what it waits for never comes, the assignment stands here without end';
  return [{ code: 'no_time_limit', pointer: '/configuration', message }];
}

const dayMs = 86_400_000;

/** Checks a time that is the same for all members. */
function checkUntil(until: unknown, now: Date): Finding[] {
  if (typeof until !== 'string' || !expressionsOf(until).every(isFixedExpression)) return [];
  const pointer = '/configuration/until';
  const moment = readMoment(renderTemplate(until, withoutData(now), 'plain').text.trim(), 'UTC');
  if (moment === undefined) {
    const form = 'an ISO 8601 date or time such as 2030-01-31T10:00 or 2030-01-31T10:00+01:00';
    return [{ pointer, message: `is not ${form}` }];
  }
  // Without an offset the time is that of the member's time zone, which may be a day away.
  if (moment.getTime() < now.getTime() - dayMs) {
    return [{ code: 'moment_passed', pointer, message: 'is in the past, so that the wait ends at once' }];
  }
  if (moment.getTime() > latestMoment(now).getTime() + dayMs) {
    const message = 'is more than five years ahead, for which no wait waits: a colleague is alerted';
    return [{ code: 'moment_too_far', pointer, message }];
  }
  return [];
}

/** For expressions that read nothing. */
function withoutData(now: Date): CelContext {
  return {
    member: { id: 0, name: null, locale: null, labels: [], form_data: {}, data: {}, partial_data: [] },
    assignment: { id: null, status: 'active', outcome: null, is_test: false, created_at: now },
    chat: { id: null, channel: 'web-chat', paused: false, message_count: 0 },
    tasks: { visited: [], completed: [], timed_out: [], current: null },
    call: { direction: null, status: null, outcome: null, attempts: 0 },
    now,
  };
}

/** Nothing wakes a run because time passes, so a condition that reads `now` would become true unnoticed. */
function checkCondition(condition: unknown): Finding[] {
  if (typeof condition !== 'string') return [];
  const pointer = '/configuration/condition';
  if (isNeverTrue(condition)) return [{ pointer, message: 'this is never true, so the wait has no end' }];
  if (!inspectExpression(condition).usesNow) return [];
  return [{ pointer, message: 'a condition that is waited for cannot read now: until waits for a time' }];
}

function checkAtMost(atMost: unknown, key: string | undefined): Finding[] {
  if (atMost === undefined || key === 'condition' || key === 'event') return [];
  const message = 'is the time limit of a condition or an event';
  return [{ pointer: '/configuration/atMost', message }];
}
