import type { ReactNode } from 'react';
import { InputField } from '../../kit/field.js';
import { useLocale } from '../../texts/texts.js';
import { Checks } from '../checks.js';
import { useSettingsTexts } from '../texts.js';
import { type Weekday, weekdayNames } from './weekdays.js';

export interface Window {
  from: string;
  to: string;
  days: Weekday[];
}

interface Props {
  value: Window;
  pointer: string;
  onChange(value: Window): void;
}

/** From when until when, and on which days that begins. */
export function ClockTimes({ value, pointer, onChange }: Props): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  return (
    <>
      {(['from', 'to'] as const).map((end) => (
        <InputField
          key={end}
          label={texts[end]}
          pointer={`${pointer}/${end}`}
          type="time"
          required
          value={value[end]}
          onChange={({ target }) => onChange({ ...value, [end]: target.value })}
        />
      ))}
      <Checks
        label={texts.days}
        pointer={`${pointer}/days`}
        options={weekdayNames(locale, 'short')}
        value={value.days}
        onChange={(days) => onChange({ ...value, days })}
      />
    </>
  );
}
