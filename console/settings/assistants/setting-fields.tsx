import type { ReactNode } from 'react';
import { InputField, SelectField } from '../../kit/field.js';
import styles from './assistants.module.css';
import type { Setting, SettingName } from './settings.js';
import { useAssistantTexts } from './texts.js';

interface Props {
  settings: readonly (Setting & { name: SettingName })[];
  /** What the API calls them in its errors. */
  pointer: string;
  value: Readonly<Record<string, unknown>>;
  readOnly: boolean;
  onChange(value: Record<string, unknown>): void;
}

/** Settings that are handed to a model; an empty one is the model's own. */
export function SettingFields({ settings, pointer, value, readOnly, onChange }: Props): ReactNode {
  const texts = useAssistantTexts();
  const change = (name: string, given: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(given === undefined ? others : { ...others, [name]: given });
  };
  return (
    <div className={styles.columns}>
      {settings.map((setting) => {
        const { name } = setting;
        const field = {
          label: texts.settings[name],
          pointer: `${pointer}/${name}`,
          hint: texts.settingHints[name],
          value: String(value[name] ?? ''),
        };
        if ('options' in setting) {
          return (
            <SelectField
              key={name}
              {...field}
              disabled={readOnly}
              onChange={({ target }) => change(name, target.value || undefined)}
            >
              <option value="">{texts.ofModel}</option>
              {setting.options.map((option) => (
                <option key={option} value={option}>
                  {texts.options[option] ?? option}
                </option>
              ))}
            </SelectField>
          );
        }
        const isText = 'maxLength' in setting;
        return (
          <InputField
            key={name}
            {...field}
            {...(isText
              ? { maxLength: setting.maxLength, autoCapitalize: 'none' }
              : { type: 'number', min: setting.min, max: setting.max, step: setting.step })}
            placeholder={texts.ofModel}
            readOnly={readOnly}
            onChange={({ target }) =>
              change(name, target.value === '' ? undefined : isText ? target.value : Number(target.value))
            }
          />
        );
      })}
    </div>
  );
}
