import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { InputField, SelectField } from '../../kit/field.js';
import { numberText } from '../number-text.js';
import styles from '../settings.module.css';
import { useChannelTexts } from './texts.js';

export type MailServer = NonNullable<Schemas['CreateInboxRequest']['smtp']>;

export const newServer: MailServer = { host: '', port: 587, security: 'starttls' };
const securities = ['starttls', 'tls', 'none'] as const;

interface Props {
  /** Null: the relay of the service. */
  value: MailServer | null;
  /** Whether a password may be stored already. */
  hasPassword?: boolean;
  onChange(value: MailServer | null): void;
}

/** Which mail server sends what is written in an inbox. */
export function MailServerFields({ value, hasPassword = false, onChange }: Props): ReactNode {
  const texts = useChannelTexts();
  return (
    <>
      <SelectField
        label={texts.sentBy}
        pointer="/smtp"
        hint={texts.sentByHint}
        value={value === null ? '' : 'own'}
        onChange={({ target }) => onChange(target.value === '' ? null : newServer)}
      >
        <option value="">{texts.byService}</option>
        <option value="own">{texts.byOwnServer}</option>
      </SelectField>
      {value === null ? null : <ServerFields value={value} hasPassword={hasPassword} onChange={onChange} />}
    </>
  );
}

interface ServerProps {
  value: MailServer;
  hasPassword: boolean;
  onChange(value: MailServer): void;
}

function ServerFields({ value, hasPassword, onChange }: ServerProps): ReactNode {
  const texts = useChannelTexts();
  /** An empty text is left out. */
  const change = (field: 'user' | 'password', text: string) => {
    const { [field]: _, ...others } = value;
    onChange(text === '' ? others : { ...others, [field]: text });
  };
  return (
    <div className={styles.columns}>
      <InputField
        label={texts.host}
        pointer="/smtp/host"
        required
        maxLength={253}
        autoCapitalize="none"
        spellCheck={false}
        value={value.host}
        onChange={({ target }) => onChange({ ...value, host: target.value })}
      />
      <InputField
        label={texts.port}
        pointer="/smtp/port"
        type="number"
        required
        min={1}
        max={65_535}
        value={numberText(value.port)}
        onChange={({ target }) => onChange({ ...value, port: target.valueAsNumber })}
      />
      <SelectField
        label={texts.security}
        pointer="/smtp/security"
        value={value.security}
        onChange={({ target }) =>
          onChange({ ...value, security: securities.find((one) => one === target.value) ?? 'starttls' })
        }
      >
        {securities.map((security) => (
          <option key={security} value={security}>
            {texts.securities[security]}
          </option>
        ))}
      </SelectField>
      <InputField
        label={texts.user}
        pointer="/smtp/user"
        hint={texts.userHint}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value.user ?? ''}
        onChange={({ target }) => change('user', target.value)}
      />
      <InputField
        label={texts.password}
        pointer="/smtp/password"
        hint={hasPassword ? texts.passwordHint : undefined}
        type="password"
        maxLength={500}
        autoComplete="new-password"
        value={value.password ?? ''}
        onChange={({ target }) => change('password', target.value)}
      />
    </div>
  );
}
