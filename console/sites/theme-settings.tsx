import type { ReactNode } from 'react';
import { CheckField, InputField, SelectField } from '../kit/field.js';
import { filled } from '../texts/texts.js';
import { type ColorName, faintPairs } from './contrast.js';
import type { ThemeSettings } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';

interface Props {
  /** What the site changes of its theme. */
  value: ThemeSettings;
  /** With what it leaves as the theme has it. */
  resolved: ThemeSettings;
  onChange(settings: ThemeSettings): void;
}

const schemes = ['auto', 'light', 'dark'] as const;
const fonts = ['sans', 'serif', 'mono', 'rounded'] as const;
const sizes = [
  ['baseSize', 14, 24],
  ['contentWidth', 480, 1_600],
  ['cornerRadius', 0, 32],
] as const;
const printSizes = [
  ['fontSize', 8, 24],
  ['margin', 5, 50],
] as const;
const colors = [
  'background',
  'surface',
  'text',
  'muted',
  'primary',
  'onPrimary',
  'link',
  'border',
] as const satisfies readonly ColorName[];

/** The settings of a theme, and over them what the site changes. */
export const resolved = (defaults: ThemeSettings, settings: ThemeSettings): ThemeSettings => ({
  ...defaults,
  ...settings,
  light: { ...defaults.light, ...settings.light },
  dark: { ...defaults.dark, ...settings.dark },
  print: { ...defaults.print, ...settings.print },
});

/** What differs from the theme: fonts, sizes, colours and print. */
export function ThemeSettingsFields({ value, resolved: shown, onChange }: Props): ReactNode {
  const texts = useSiteTexts().look;
  const set = (changed: ThemeSettings) => onChange({ ...value, ...changed });
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          label={texts.colorScheme}
          pointer="/themeSettings/colorScheme"
          value={shown.colorScheme}
          onChange={({ target }) => set({ colorScheme: schemes.find((one) => one === target.value) })}
        >
          {schemes.map((one) => (
            <option key={one} value={one}>
              {texts.schemes[one]}
            </option>
          ))}
        </SelectField>
        {(['headingFont', 'bodyFont'] as const).map((field) => (
          <SelectField
            key={field}
            label={texts[field]}
            pointer={`/themeSettings/${field}`}
            value={shown[field]}
            onChange={({ target }) => set({ [field]: fonts.find((one) => one === target.value) })}
          >
            {fonts.map((one) => (
              <option key={one} value={one}>
                {texts.fonts[one]}
              </option>
            ))}
          </SelectField>
        ))}
        {sizes.map(([field, min, max]) => (
          <SizeField
            key={field}
            {...{ label: texts[field], pointer: `/themeSettings/${field}`, min, max }}
            value={shown[field]}
            onChange={(size) => set({ [field]: size })}
          />
        ))}
      </div>
      {(['showLogo', 'showTagLine'] as const).map((field) => (
        <CheckField
          key={field}
          label={texts[field]}
          pointer={`/themeSettings/${field}`}
          checked={shown[field] !== false}
          onChange={({ target }) => set({ [field]: target.checked })}
        />
      ))}
      <details>
        <summary>{texts.colors}</summary>
        {(['light', 'dark'] as const).map((scheme) => (
          <PaletteFields
            key={scheme}
            scheme={scheme}
            resolved={shown[scheme] ?? {}}
            onChange={(name, color) => set({ [scheme]: { ...value[scheme], [name]: color } })}
          />
        ))}
      </details>
      <details>
        <summary>{texts.print}</summary>
        <div className={styles.fields}>
          {printSizes.map(([field, min, max]) => (
            <SizeField
              key={field}
              {...{ label: texts.printed[field], pointer: `/themeSettings/print/${field}`, min, max }}
              value={shown.print?.[field]}
              onChange={(size) => set({ print: { ...value.print, [field]: size } })}
            />
          ))}
        </div>
        {(['showLinks', 'showMenu'] as const).map((field) => (
          <CheckField
            key={field}
            label={texts.printed[field]}
            pointer={`/themeSettings/print/${field}`}
            checked={shown.print?.[field] === true}
            onChange={({ target }) => set({ print: { ...value.print, [field]: target.checked } })}
          />
        ))}
      </details>
      {Object.keys(value).length === 0 ? null : (
        <button type="button" className={styles.start} onClick={() => onChange({})}>
          {texts.asTheme}
        </button>
      )}
    </>
  );
}

interface SizeFieldProps {
  label: string;
  pointer: string;
  min: number;
  max: number;
  value: number | undefined;
  onChange(size: number): void;
}

function SizeField({ value, onChange, ...field }: SizeFieldProps): ReactNode {
  return (
    <InputField
      {...field}
      type="number"
      required
      value={value === undefined || Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
    />
  );
}

interface PaletteProps {
  scheme: 'light' | 'dark';
  resolved: NonNullable<ThemeSettings['light']>;
  onChange(name: ColorName, color: string): void;
}

function PaletteFields({ scheme, resolved: shown, onChange }: PaletteProps): ReactNode {
  const texts = useSiteTexts().look;
  const faint = faintPairs(shown);
  return (
    <fieldset className={styles.palette}>
      <legend>{texts.palettes[scheme]}</legend>
      {colors.map((name) => (
        <InputField
          key={name}
          label={texts.colorNames[name]}
          pointer={`/themeSettings/${scheme}/${name}`}
          type="color"
          value={shown[name]}
          onChange={({ target }) => onChange(name, target.value)}
        />
      ))}
      {faint.map(([text, ground]) => (
        <p key={text + ground} role="status" className={styles.warning}>
          {filled(texts.faint, { text: texts.colorNames[text], ground: texts.colorNames[ground] })}
        </p>
      ))}
    </fieldset>
  );
}
