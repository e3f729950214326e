import type { ReactNode } from 'react';
import type { Site, Theme } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';

interface Props {
  themes: readonly Theme[];
  value: Site['theme'];
  onChange(theme: Site['theme']): void;
}

/** The themes, each with its colours. */
export function ThemeChoice({ themes, value, onChange }: Props): ReactNode {
  const texts = useSiteTexts();
  return (
    <fieldset className={styles.themes}>
      <legend>{texts.look.theme}</legend>
      {themes.map(({ theme, name, description, defaultSettings }) => (
        <label key={theme} className={styles.theme}>
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === value}
            onChange={() => onChange(theme)}
          />
          <span>
            <strong>{name}</strong>
            <span className="quiet">{description}</span>
          </span>
          <Swatches settings={defaultSettings} />
        </label>
      ))}
    </fieldset>
  );
}

function Swatches({
  settings: { light = {}, dark = {} },
}: {
  settings: Theme['defaultSettings'];
}): ReactNode {
  const shown = { ...light, darkBackground: dark.background, darkPrimary: dark.primary };
  const names = ['background', 'surface', 'primary', 'text', 'darkBackground', 'darkPrimary'] as const;
  return (
    <span className={styles.swatches} aria-hidden="true">
      {names.map((name) => (
        <span key={name} style={{ background: shown[name] }} />
      ))}
    </span>
  );
}
