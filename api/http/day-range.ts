import Type from 'typebox';
import { DateOnly } from './schemas.js';

/** Days that something is counted on (domain/kernel/day-range.ts). */
export const dayRange = {
  from: Type.Optional(DateOnly),
  to: Type.Optional(DateOnly),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Time zone that determines the days, by its IANA name, for example Europe/Paris; by default that of the workspace',
    }),
  ),
};

export const TimezoneOfDays = Type.String({ description: 'The time zone that determines the days' });
