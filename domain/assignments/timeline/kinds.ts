/** What a timeline tells of an assignment, with the audience: members do not see how colleagues and the agent work. */
const audiences = {
  entered: 'all',
  completed: 'all',
  not_begun: 'colleagues',
  message: 'all',
  tool: 'colleagues',
  timer_set: 'all',
  timer_came: 'all',
  timer_cancelled: 'all',
  follow_up_set: 'colleagues',
  follow_up_came: 'colleagues',
  follow_up_cancelled: 'colleagues',
  delivery: 'all',
  refused: 'all',
  needs_response: 'colleagues',
  answered: 'colleagues',
  paused: 'all',
  resumed: 'all',
  archived: 'all',
  unarchived: 'all',
  concluded: 'all',
} as const;

export type TimelineKind = keyof typeof audiences;

export const timelineKinds = Object.keys(audiences) as TimelineKind[];

/** Who reads a timeline: `author`: a colleague who may see expressions of definitions as well. */
export type TimelineReader = 'member' | 'colleague' | 'author';

export function isShownTo(reader: TimelineReader, kind: string): boolean {
  return reader !== 'member' || audiences[kind as TimelineKind] === 'all';
}
