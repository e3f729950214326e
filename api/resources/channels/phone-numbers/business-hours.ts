import Type from 'typebox';
import { placeholders } from '../../../../domain/channels/business-hours/placeholders.js';
import { weekdays } from '../../../../domain/channels/outreach/quiet-hours.js';
import { Nullable, OneOf } from '../../../http/schemas.js';

const maxWindows = 50;
const maxDates = 400;

const ClockTime = (description: string) =>
  Type.String({ maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description });
const times = {
  from: ClockTime('When they begin, HH:MM'),
  to: ClockTime('When they end, HH:MM: on the next day if it is not later than from'),
};
const days = Type.Array(OneOf(weekdays), {
  minItems: 1,
  maxItems: weekdays.length,
  description: 'The days on which they begin',
});
const closedDates = Type.Array(Type.String({ format: 'date', maxLength: 10 }), {
  maxItems: maxDates,
  description: 'Days on which calls are not taken, whatever the day of the week, as YYYY-MM-DD',
});
const outside = OneOf(['closed', 'agent'], {
  description:
    'What happens outside of the hours. closed: the caller hears closedText, and the call ends (voice_disabled, blockedReason closed); agent: the agent answers all the same',
});

const named = placeholders.map((name) => `\`{{ ${name} }}\``).join(' and ');

/** A text that every caller may hear. */
export const SpokenText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: `${description}. It may have ${named}, and nothing of a member: a number proves nobody's identity`,
  });

const closedText = Nullable(
  SpokenText(
    'What callers are told, in the language of the workspace. null: a usual sentence in the language of the member, else of the workspace, or in English',
  ),
);

const ofWorkspace =
  'When incoming calls are taken, by the clock of the workspace, on numbers that have no hours of their own. null: at any time';
const ofNumber =
  'When incoming calls are taken on the number, by the clock of the workspace. null: as the workspace says';

const hours = (description: string) =>
  Type.Object(
    {
      windows: Type.Array(Type.Object({ ...times, days }), { maxItems: maxWindows, description: ofWindows }),
      closedDates,
      outside,
      closedText,
    },
    { description },
  );
const ofWindows = 'Hours of the week in which calls are taken; none: at no time';
const input = (description: string) =>
  Type.Object(
    {
      windows: Type.Array(Type.Object({ ...times, days: Type.Optional(days) }), {
        maxItems: maxWindows,
        description: `${ofWindows}. Without days, they begin on every day`,
      }),
      closedDates: Type.Optional(closedDates),
      outside: Type.Optional(outside),
      closedText: Type.Optional(closedText),
    },
    { description: `${description}. Replaces the whole setting; outside is closed unless given` },
  );

export const businessHours = {
  ofWorkspace: { shown: hours(ofWorkspace), given: input(ofWorkspace) },
  ofNumber: { shown: hours(ofNumber), given: input(ofNumber) },
};
