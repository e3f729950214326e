import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../kit/api.js';
import { InputField, SelectField } from '../../kit/field.js';
import { MemberName, MemberPicker } from '../../kit/member-picker.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { rolesQuery } from '../../members/queries.js';
import { phoneNumbersQuery } from '../channels/queries.js';
import { Check, Checks } from '../checks.js';
import { Chosen } from '../chosen.js';
import { numberText } from '../number-text.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { WorkspaceForm } from '../workspace-form.js';

type Notices = NonNullable<Schemas['WorkspaceResponse']['handoffNotices']>;

const ways = ['email', 'sms', 'event'] as const;
const usual: Notices = {
  channels: ['email'],
  memberRoleIds: [],
  memberIds: [],
  reasons: ['handoff', 'approval'],
  everyMinutes: 15,
  heldEmails: true,
  phoneNumberId: null,
  queueUrl: null,
};

/** Who is told that chats wait for a person, and how. */
export function NoticesPage(): ReactNode {
  const texts = useSettingsTexts();
  return (
    <SectionPage isForm title={texts.sections.notices.name}>
      <WorkspaceForm section="notices">
        {({ handoffNotices = null }, change) => (
          <>
            <p className="quiet">{texts.noticesHelp}</p>
            <SelectField
              label={texts.whoIsTold}
              pointer="/handoffNotices"
              value={handoffNotices === null ? '' : 'some'}
              onChange={({ target }) => change({ handoffNotices: target.value === '' ? null : usual })}
            >
              <option value="">{texts.nobodyIsTold}</option>
              <option value="some">{texts.someAreTold}</option>
            </SelectField>
            {handoffNotices === null ? null : (
              <NoticeFields
                value={handoffNotices}
                onChange={(changed) => change({ handoffNotices: { ...handoffNotices, ...changed } })}
              />
            )}
          </>
        )}
      </WorkspaceForm>
    </SectionPage>
  );
}

interface FieldsProps {
  value: Notices;
  onChange(changed: Partial<Notices>): void;
}

function NoticeFields({ value, onChange }: FieldsProps): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const roles = useQuery(rolesQuery(uuid));
  const numbers = useQuery(phoneNumbersQuery(uuid));
  const isOffered = ({ id, permissions }: Schemas['MemberRoleResponse']) =>
    permissions.includes('chats:read') || value.memberRoleIds.includes(id);
  const reasons = Object.entries(texts.reasons) as [Notices['reasons'][number], string][];
  return (
    <>
      <Checks
        label={texts.ways}
        pointer="/handoffNotices/channels"
        hint={texts.waysHint}
        options={ways.map((way) => [way, texts.wayNames[way]])}
        value={value.channels}
        onChange={(channels) => onChange({ channels })}
      />
      <Read query={roles}>
        {(all) => (
          <Checks
            label={texts.toldRoles}
            pointer="/handoffNotices/memberRoleIds"
            hint={texts.toldRolesHint}
            options={all.filter(isOffered).map(({ id, name }) => [id, name])}
            value={value.memberRoleIds}
            onChange={(memberRoleIds) => onChange({ memberRoleIds })}
          />
        )}
      </Read>
      <MemberPicker
        label={texts.toldPeople}
        pointer="/handoffNotices/memberIds"
        value={undefined}
        onChange={(id) => {
          if (id !== undefined) onChange({ memberIds: [...new Set([...value.memberIds, id])] });
        }}
      />
      <Chosen
        label={texts.toldPeople}
        items={value.memberIds}
        name={(id) => <MemberName id={id} />}
        onRemove={(removed) => onChange({ memberIds: value.memberIds.filter((id) => id !== removed) })}
      />
      <Checks
        label={texts.toldReasons}
        pointer="/handoffNotices/reasons"
        isLong
        options={reasons}
        value={value.reasons}
        onChange={(chosen) => onChange({ reasons: chosen })}
      />
      <Check
        label={texts.heldEmails}
        checked={value.heldEmails}
        onChange={(heldEmails) => onChange({ heldEmails })}
      />
      <div className={styles.columns}>
        <InputField
          label={texts.everyMinutes}
          pointer="/handoffNotices/everyMinutes"
          hint={texts.everyMinutesHint}
          type="number"
          min={5}
          max={1_440}
          required
          value={numberText(value.everyMinutes)}
          onChange={({ target }) => onChange({ everyMinutes: target.valueAsNumber })}
        />
        {value.channels.includes('sms') ? (
          <Read query={numbers}>
            {({ items }) => (
              <SelectField
                label={texts.sender}
                pointer="/handoffNotices/phoneNumberId"
                value={value.phoneNumberId ?? ''}
                onChange={({ target }) => onChange({ phoneNumberId: Number(target.value) || null })}
              >
                <option value="">{texts.chooseNumber}</option>
                {value.phoneNumberId == null || items.some(({ id }) => id === value.phoneNumberId) ? null : (
                  <option value={value.phoneNumberId}>#{value.phoneNumberId}</option>
                )}
                {items.map(({ id, name, number }) => (
                  <option key={id} value={id}>
                    {name} · {number}
                  </option>
                ))}
              </SelectField>
            )}
          </Read>
        ) : null}
      </div>
      <InputField
        label={texts.queueUrl}
        pointer="/handoffNotices/queueUrl"
        hint={texts.queueUrlHint}
        type="url"
        maxLength={500}
        value={value.queueUrl ?? ''}
        onChange={({ target }) => onChange({ queueUrl: target.value || null })}
      />
    </>
  );
}
