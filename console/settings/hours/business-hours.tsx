import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../kit/api.js';
import { Field, SelectField, TextAreaField } from '../../kit/field.js';
import { Facts } from '../../kit/page.js';
import { filled, useLocale } from '../../texts/texts.js';
import { Chosen } from '../chosen.js';
import { RemoveButton } from '../remove-button.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { ClockTimes, type Window } from './clock-times.js';
import { weekdayNames } from './weekdays.js';

type Hours = NonNullable<Schemas['WorkspaceResponse']['businessHours']>;

const usual: Window = {
  from: '09:00',
  to: '17:00',
  days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
};

interface Props {
  value: Hours | null;
  /** What it means that no hours are set. */
  none: string;
  onChange(value: Hours | null): void;
}

/** When incoming calls are taken, and what happens at other times. */
export function BusinessHours({ value, none, onChange }: Props): ReactNode {
  const texts = useSettingsTexts();
  return (
    <>
      <SelectField
        label={texts.callsAreTaken}
        pointer="/businessHours"
        value={value === null ? '' : 'hours'}
        onChange={({ target }) =>
          onChange(
            target.value === ''
              ? null
              : { windows: [usual], closedDates: [], outside: 'closed', closedText: null },
          )
        }
      >
        <option value="">{none}</option>
        <option value="hours">{texts.inHours}</option>
      </SelectField>
      {value === null ? null : <HoursFields value={value} onChange={onChange} />}
    </>
  );
}

function HoursFields({ value, onChange }: { value: Hours; onChange(value: Hours): void }): ReactNode {
  const texts = useSettingsTexts();
  const { windows, outside, closedText } = value;
  const change = (changed: Partial<Hours>) => onChange({ ...value, ...changed });
  return (
    <>
      <Week windows={windows} />
      <div>
        {windows.map((window, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours are known by their place alone.
          <div key={index} className={styles.window}>
            <ClockTimes
              value={window}
              pointer={`/businessHours/windows/${index}`}
              onChange={(changed) => change({ windows: windows.with(index, changed) })}
            />
            <RemoveButton onClick={() => change({ windows: windows.toSpliced(index, 1) })}>
              {filled(texts.removeHours, { hours: hoursText(window) })}
            </RemoveButton>
          </div>
        ))}
      </div>
      <div className="acts">
        <button type="button" onClick={() => change({ windows: [...windows, usual] })}>
          {texts.addHours}
        </button>
      </div>
      <ClosedDates value={value.closedDates} onChange={(closedDates) => change({ closedDates })} />
      <SelectField
        label={texts.outside}
        pointer="/businessHours/outside"
        value={outside}
        onChange={({ target }) => change({ outside: target.value as Hours['outside'] })}
      >
        <option value="closed">{texts.outsideClosed}</option>
        <option value="agent">{texts.outsideAgent}</option>
      </SelectField>
      {outside === 'agent' ? null : (
        <TextAreaField
          label={texts.closedText}
          pointer="/businessHours/closedText"
          hint={texts.closedTextHint}
          maxLength={500}
          value={closedText ?? ''}
          onChange={({ target }) => change({ closedText: target.value || null })}
        />
      )}
    </>
  );
}

/** Joined, so that it stands in one line. */
const hoursText = ({ from, to }: Window): string => `${from}\u2060–\u2060${to}`;

/** The hours of each day of the week, to be read. */
function Week({ windows }: { windows: readonly Window[] }): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  return (
    <div className={styles.week}>
      <Facts
        facts={weekdayNames(locale, 'long').map(([day, name]) => {
          const hours = windows.filter(({ days }) => days.includes(day)).map(hoursText);
          return [name, hours.length === 0 ? texts.closed : hours.toSorted().join(', ')];
        })}
      />
    </div>
  );
}

/** Days on which calls are not taken, whatever the day of the week. */
function ClosedDates({
  value,
  onChange,
}: {
  value: readonly string[];
  onChange(value: string[]): void;
}): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  const [date, setDate] = useState('');
  const names = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <>
      <Field label={texts.closedDates} pointer="/businessHours/closedDates" hint={texts.closedDatesHint}>
        {(control) => (
          <div className={styles.adds}>
            <input {...control} type="date" value={date} onChange={({ target }) => setDate(target.value)} />
            <button
              type="button"
              disabled={date === ''}
              onClick={() => {
                onChange([...new Set([...value, date])].toSorted());
                setDate('');
              }}
            >
              {texts.add}
            </button>
          </div>
        )}
      </Field>
      <Chosen
        label={texts.closedDates}
        items={value}
        name={(one) => names.format(new Date(one))}
        onRemove={(removed) => onChange(value.filter((one) => one !== removed))}
      />
    </>
  );
}
