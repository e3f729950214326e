import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { InputField, SelectField } from '../kit/field.js';
import { Json } from './parts.js';
import { eventTypes } from './queries.js';
import type { EventType } from './search.js';
import { useWebhookTexts } from './texts.js';

export interface RuleValues {
  name: string;
  eventType: EventType;
  webhookUrl: string;
}

export const newRule: RuleValues = { name: '', eventType: 'chat:created', webhookUrl: '' };

/** What is sent where, with an example of it. */
export function RuleFields({
  value,
  onChange,
}: {
  value: RuleValues;
  onChange(value: RuleValues): void;
}): ReactNode {
  const texts = useWebhookTexts();
  const { data: types = [] } = useQuery(eventTypes());
  const type = types.find(({ name }) => name === value.eventType);
  return (
    <>
      <InputField
        label={texts.name}
        pointer="/name"
        required
        value={value.name}
        onChange={({ target }) => onChange({ ...value, name: target.value })}
      />
      <SelectField
        label={texts.eventType}
        pointer="/eventType"
        hint={type?.description}
        value={value.eventType}
        onChange={({ target }) => onChange({ ...value, eventType: target.value as EventType })}
      >
        {types.length === 0 ? <option>{value.eventType}</option> : null}
        {types.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      {type === undefined ? null : (
        <details>
          <summary>{texts.example}</summary>
          <Json value={type.example} label={texts.example} />
        </details>
      )}
      <InputField
        label={texts.address}
        pointer="/actionParams/webhookUrl"
        hint={texts.httpsOnly}
        inputMode="url"
        required
        value={value.webhookUrl}
        onChange={({ target }) => onChange({ ...value, webhookUrl: target.value })}
      />
    </>
  );
}
