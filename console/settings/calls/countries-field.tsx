import type { ReactNode } from 'react';
import { type FieldProps, SelectField } from '../../kit/field.js';
import { useLocale } from '../../texts/texts.js';
import { Chosen } from '../chosen.js';
import { countryNames } from '../countries.js';
import { useSettingsTexts } from '../texts.js';

interface Props extends FieldProps {
  /** Null: the country of the number. */
  value: readonly string[] | null;
  onChange(value: string[] | null): void;
}

/** A field for countries: one is added by choosing it. Without any, it is that of the number. */
export function Countries({ value, onChange, ...field }: Props): ReactNode {
  const texts = useSettingsTexts();
  const names = new Map(countryNames(useLocale()));
  const chosen = value ?? [];
  return (
    <>
      <SelectField
        {...field}
        value={value === null ? '' : 'some'}
        onChange={({ target }) => {
          if (target.value === '') onChange(null);
          else if (target.value === 'some') onChange([]);
          else onChange([...chosen, target.value]);
        }}
      >
        <option value="">{texts.countryOfNumber}</option>
        <option value="some">{value?.length === 0 ? texts.noCountry : texts.theseCountries}</option>
        <optgroup label={texts.addCountry}>
          {[...names]
            .filter(([code]) => !chosen.includes(code))
            .map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </optgroup>
      </SelectField>
      <Chosen
        label={field.label}
        items={chosen}
        name={(code) => names.get(code) ?? code}
        onRemove={(removed) => onChange(chosen.filter((code) => code !== removed))}
      />
    </>
  );
}
