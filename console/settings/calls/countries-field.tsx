import { type ReactNode, useMemo } from 'react';
import { type FieldProps, SelectField } from '../../kit/field.js';
import { filled, useLocale } from '../../texts/texts.js';
import { Adder } from '../adder.js';
import { Chosen } from '../chosen.js';
import { countryNames } from '../countries.js';
import { useSettingsTexts } from '../texts.js';

interface Props extends FieldProps {
  /** Null: the country of the number. */
  value: readonly string[] | null;
  onChange(value: string[] | null): void;
}

/** A field for countries: that of the number, or some. */
export function Countries({ value, onChange, ...field }: Props): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  const names = useMemo(() => new Map(countryNames(locale)), [locale]);
  const { label, pointer } = field;
  return (
    <>
      <SelectField
        {...field}
        value={value === null ? '' : 'some'}
        onChange={({ target }) => onChange(target.value === '' ? null : [])}
      >
        <option value="">{texts.countryOfNumber}</option>
        <option value="some">{value?.length === 0 ? texts.noCountry : texts.theseCountries}</option>
      </SelectField>
      {value === null ? null : (
        <>
          <Adder
            label={filled(texts.countryFor, { what: label })}
            pointer={pointer}
            none={texts.addCountry}
            onAdd={(code) => onChange([...value, code])}
          >
            {[...names]
              .filter(([code]) => !value.includes(code))
              .map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
          </Adder>
          <Chosen
            label={label}
            items={value}
            name={(code) => names.get(code) ?? code}
            onRemove={(removed) => onChange(value.filter((code) => code !== removed))}
          />
        </>
      )}
    </>
  );
}
