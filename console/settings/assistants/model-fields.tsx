import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SelectField } from '../../kit/field.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { filled, useLocale } from '../../texts/texts.js';
import { type Model, modelsQuery } from './queries.js';
import { SettingFields } from './setting-fields.js';
import { chatSettings, realtimeSettings, type Values } from './settings.js';
import { useAssistantTexts } from './texts.js';

interface Props {
  value: Values;
  readOnly: boolean;
  onChange(changed: Values): void;
}

/** Which models answer in chats and speak in calls, and how. */
export function ModelFields(props: Props): ReactNode {
  const models = useQuery(modelsQuery);
  return (
    <Read query={models}>
      {({ chat, realtime, voices }) => (
        <>
          <ChatModel {...props} models={chat} />
          {realtime.length === 0 ? null : <RealtimeModel {...props} models={realtime} voices={voices} />}
        </>
      )}
    </Read>
  );
}

function ChatModel({ value, readOnly, onChange, models }: Props & { models: readonly Model[] }): ReactNode {
  const texts = useAssistantTexts();
  return (
    <Section title={texts.chats}>
      <ModelField
        label={texts.chatModel}
        pointer="/chatModelId"
        models={models}
        value={value.chatModelId}
        readOnly={readOnly}
        onChange={(chatModelId) => onChange({ chatModelId })}
      />
      <details>
        <summary>{texts.moreSettings}</summary>
        <SettingFields
          settings={chatSettings}
          pointer="/chatModelConfig"
          value={value.chatModelConfig ?? {}}
          readOnly={readOnly}
          onChange={(chatModelConfig) => onChange({ chatModelConfig })}
        />
      </details>
    </Section>
  );
}

interface RealtimeProps extends Props {
  models: readonly Model[];
  voices: readonly { id: string; name: string; description: string }[];
}

function RealtimeModel({ value, readOnly, onChange, models, voices }: RealtimeProps): ReactNode {
  const texts = useAssistantTexts();
  const settings = value.realtimeModelConfig ?? {};
  const model = models.find(({ id, recommended }) =>
    value.realtimeModelId ? id === value.realtimeModelId : recommended,
  );
  const usable = voices.filter(({ id }) => model?.voices?.includes(id) ?? true);
  const { voice } = settings;
  const isListed = voice === undefined || usable.some(({ id }) => id === voice);
  return (
    <Section title={texts.calls}>
      <ModelField
        label={texts.realtimeModel}
        pointer="/realtimeModelId"
        models={models}
        value={value.realtimeModelId}
        readOnly={readOnly}
        onChange={(realtimeModelId) => onChange({ realtimeModelId })}
      />
      <SelectField
        label={texts.voice}
        pointer="/realtimeModelConfig/voice"
        hint={usable.find(({ id }) => id === voice)?.description}
        disabled={readOnly}
        value={voice ?? ''}
        onChange={({ target }) => {
          const { voice: _, ...others } = settings;
          onChange({
            realtimeModelConfig: target.value === '' ? others : { ...others, voice: target.value },
          });
        }}
      >
        <option value="">{texts.ofModel}</option>
        {isListed ? null : <option value={voice}>{voice}</option>}
        {usable.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <details>
        <summary>{texts.moreSettings}</summary>
        <SettingFields
          settings={realtimeSettings(settings.turn_detection)}
          pointer="/realtimeModelConfig"
          value={settings}
          readOnly={readOnly}
          onChange={(realtimeModelConfig) => onChange({ realtimeModelConfig })}
        />
      </details>
    </Section>
  );
}

interface ModelFieldProps {
  label: string;
  pointer: string;
  models: readonly Model[];
  value: string | null | undefined;
  readOnly: boolean;
  onChange(id: string | null): void;
}

/** A model with its price; without a choice the recommended one answers. */
function ModelField({ label, pointer, models, value, readOnly, onChange }: ModelFieldProps): ReactNode {
  const texts = useAssistantTexts();
  const locale = useLocale();
  const recommended = models.find((model) => model.recommended);
  const chosen = models.find(({ id }) => id === value);
  const shown = chosen ?? (value ? undefined : recommended);
  const priceOf = ({ multiplier }: Model) =>
    filled(texts.price, { credits: multiplier.toLocaleString(locale) });
  return (
    <SelectField
      label={label}
      pointer={pointer}
      hint={shown && [priceOf(shown), shown.description].filter(Boolean).join(' · ')}
      disabled={readOnly}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || null)}
    >
      <option value="">{filled(texts.recommended, { name: recommended?.name ?? '–' })}</option>
      {value && chosen === undefined ? <option value={value}>{value}</option> : null}
      {models.map((model) => (
        <option key={model.id} value={model.id}>
          {model.name}
        </option>
      ))}
    </SelectField>
  );
}
