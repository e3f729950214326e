import type { ReactNode } from 'react';
import { InputField } from '../kit/field.js';
import { useWebhookTexts } from './texts.js';
import styles from './webhooks.module.css';

export interface Signing {
  by: 'made' | 'own' | 'none';
  secret: string;
}

export const newSigning: Signing = { by: 'made', secret: '' };

/** The field of a request that says how deliveries are signed. */
export function signingSecretOf({ by, secret }: Signing): { signingSecret?: string | null } {
  if (by === 'made') return {};
  return { signingSecret: by === 'own' ? secret : null };
}

interface Props {
  value: Signing;
  /** What the API calls the secret in its errors. */
  pointer: string;
  onChange(value: Signing): void;
}

/** How deliveries are signed. */
export function SigningFields({ value, pointer, onChange }: Props): ReactNode {
  const texts = useWebhookTexts();
  const choices = [
    ['made', texts.madeSecret],
    ['own', texts.ownSecret],
    ['none', texts.noSecret],
  ] as const;
  return (
    <fieldset className={styles.choices}>
      <legend>{texts.signing}</legend>
      {choices.map(([by, name]) => (
        <label key={by}>
          <input
            type="radio"
            name="signing"
            checked={value.by === by}
            onChange={() => onChange({ ...value, by })}
          />{' '}
          {name}
        </label>
      ))}
      {value.by === 'own' ? (
        <InputField
          label={texts.secret}
          pointer={pointer}
          hint={texts.secretShape}
          autoComplete="off"
          spellCheck={false}
          required
          value={value.secret}
          onChange={({ target }) => onChange({ ...value, secret: target.value })}
        />
      ) : null}
    </fieldset>
  );
}
