import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, isGone } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ChangesForm } from '../../kit/changes-form.js';
import { InputField, TextAreaField } from '../../kit/field.js';
import { Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { Check } from '../checks.js';
import { BusinessHours } from '../hours/business-hours.js';
import { numberText } from '../number-text.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { type PhoneNumber, phoneNumberQuery, uses } from './queries.js';
import { useChannelTexts } from './texts.js';
import { WorkflowField } from './workflow-field.js';

/** One number: what it is used for, who answers on it, and when. */
export function NumberPage(): ReactNode {
  const texts = useChannelTexts();
  const { sections } = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const { numberId } = useParams({ from: '/w/$workspace/settings/numbers/$numberId' });
  const query = useQuery(phoneNumberQuery(uuid, Number(numberId)));
  const { data, error } = query;
  return (
    <SectionPage
      isForm
      title={data?.name ?? sections.numbers.name}
      above={
        <Link to="/w/$workspace/settings/numbers" params={{ workspace: uuid }}>
          {sections.numbers.name}
        </Link>
      }
      acts={
        data !== undefined && can('phone_numbers:write') && !isGone(error) ? (
          <Release number={data} />
        ) : undefined
      }
    >
      {isGone(error) ? (
        <p>{texts.numberGone}</p>
      ) : (
        <Read query={query}>{(number) => <NumberFields key={number.id} number={number} />}</Read>
      )}
    </SectionPage>
  );
}

function NumberFields({ number }: { number: PhoneNumber }): ReactNode {
  const texts = useChannelTexts();
  const settingsTexts = useSettingsTexts();
  const { uuid, workspace, can } = useWorkspace();
  const params = { path: { workspace_uuid: uuid, phone_number_id: number.id } };
  const path = '/w/{workspace_uuid}/phone-numbers/{phone_number_id}';
  return (
    <ChangesForm
      place={`number.${number.id}`}
      stored={number}
      mayChange={can('phone_numbers:write')}
      read={() => answer(api.GET(path, { params }))}
      save={(body) => answer(api.PUT(path, { params, body }))}
      reads={[['phone-numbers']]}
    >
      {(value, change) => (
        <>
          <p>
            <bdi>{number.number}</bdi>
          </p>
          <InputField
            label={texts.name}
            pointer="/name"
            hint={texts.nameHint}
            required
            maxLength={200}
            value={value.name}
            onChange={({ target }) => change({ name: target.value })}
          />
          <div className={styles.checks}>
            {uses.map((use) => (
              <Check
                key={use}
                label={texts.uses[use]}
                checked={value[use]}
                onChange={(isUsed) => change({ [use]: isUsed })}
              />
            ))}
          </div>
          <p className="quiet">{texts.mmsHint}</p>
          <WorkflowField
            label={texts.workflow}
            pointer="/inboundWorkflowId"
            hint={texts.workflowHint}
            value={value.inboundWorkflowId}
            onChange={(inboundWorkflowId) => change({ inboundWorkflowId })}
          />
          <Section title={texts.calls}>
            <p className="quiet">{filled(settingsTexts.zoneOfHours, { zone: workspace.timezone })}</p>
            <BusinessHours
              value={value.businessHours}
              none={texts.asWorkspace}
              onChange={(businessHours) => change({ businessHours })}
            />
            <TextAreaField
              label={texts.greeting}
              pointer="/greeting"
              hint={texts.greetingHint}
              maxLength={500}
              value={value.greeting ?? ''}
              onChange={({ target }) => change({ greeting: target.value || null })}
            />
          </Section>
          <InputField
            label={texts.segmentsPerSecond}
            pointer="/segmentsPerSecond"
            hint={texts.segmentsHint}
            type="number"
            min={0.1}
            max={1_000}
            step="any"
            value={numberText(value.segmentsPerSecond)}
            onChange={({ target }) =>
              change({ segmentsPerSecond: target.value === '' ? null : target.valueAsNumber })
            }
          />
        </>
      )}
    </ChangesForm>
  );
}

function Release({ number: { id, number } }: { number: PhoneNumber }): ReactNode {
  const texts = useChannelTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const path = { workspace_uuid: uuid, phone_number_id: id };
  return (
    <AsksFirst
      title={texts.release}
      help={filled(texts.releaseHelp, { number })}
      tone="danger"
      changes={[['phone-numbers']]}
      act={async () => {
        await answer(api.DELETE('/w/{workspace_uuid}/phone-numbers/{phone_number_id}', { params: { path } }));
        // Before everything is read again: this number is gone.
        await navigate({ to: '/w/$workspace/settings/numbers', params: { workspace: uuid } });
      }}
    />
  );
}
