import type { Entry } from './queries.js';

/** A time of something, up to now where it has not ended. */
export interface Span {
  from: number;
  to: number;
}

/** A stay of an assignment in a task, with the waits for a time and the times with a person within it. */
export interface Stay extends Span {
  id: string;
  task: string;
  isOver: boolean;
  waits: Span[];
  withPerson: Span[];
}

const ends: Readonly<Record<string, readonly string[]>> = {
  timer_set: ['timer_came', 'timer_cancelled'],
  paused: ['resumed'],
};

/** The stays that entries tell of, in the order of time. @param entries the oldest first */
export function staysOf(entries: readonly Entry[], now: number): Stay[] {
  const concluded = entries.find(({ kind }) => kind === 'concluded');
  const end = concluded === undefined ? now : Date.parse(concluded.at);
  const entered = entries.filter(({ kind, task }) => kind === 'entered' && task !== undefined);
  const waits = spansOf(entries, 'timer_set', end);
  const withPerson = spansOf(entries, 'paused', end);
  return entered.map(({ id, at, task }, index) => {
    const next = entered[index + 1];
    const stay = { from: Date.parse(at), to: next === undefined ? end : Date.parse(next.at) };
    const isOver = next !== undefined || concluded !== undefined;
    const within = (spans: Span[]) => spans.flatMap((span) => cut(span, stay));
    return {
      ...stay,
      id,
      task: task?.name ?? '',
      isOver,
      waits: within(waits),
      withPerson: within(withPerson),
    };
  });
}

function spansOf(entries: readonly Entry[], begin: string, end: number): Span[] {
  return entries.flatMap(({ kind, at }, index) => {
    if (kind !== begin) return [];
    const ended = entries.slice(index + 1).find((one) => ends[begin]?.includes(one.kind));
    return [{ from: Date.parse(at), to: ended === undefined ? end : Date.parse(ended.at) }];
  });
}

function cut(span: Span, { from, to }: Span): Span[] {
  const shared = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return shared.to > shared.from ? [shared] : [];
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long something took, in its largest unit. */
export function durationText(ms: number, locale: string): string {
  const [unit, length] = units.find(([, one]) => ms >= one) ?? ['second', 1_000];
  const amount = Math.round((ms / length) * 10) / 10;
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
}
