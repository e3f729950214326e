import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Schemas } from '../kit/api.js';
import { Form, InputField, SelectField, TextAreaField } from '../kit/field.js';
import { useWorkspace } from '../kit/workspace.js';
import styles from './members.module.css';
import { type Member, rolesQuery } from './queries.js';
import { useMemberTexts } from './texts.js';

type Values = Schemas['UpdateMemberRequest'];

interface Props {
  /** The member to change; undefined: a new one. */
  member?: Member;
  error: Error | null;
  /** Gets what was entered that is not so yet. */
  onSave(changes: Values): void;
  /** The buttons. */
  children: ReactNode;
}

/** The fields of a member. */
export function MemberForm({ member, error, onSave, children }: Props): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const { data: roles } = useQuery(rolesQuery(uuid));
  const [changes, setChanges] = useState<Values>({});
  const change = (changed: Values) => setChanges({ ...changes, ...changed });
  const text = (field: TextField) => ({
    pointer: `/${field}`,
    label: texts[field],
    value: (field in changes ? changes[field] : member?.[field]) ?? '',
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value || null }),
  });
  const input = (field: TextField, more: Partial<ComponentProps<typeof InputField>> = {}) => (
    <InputField {...text(field)} {...more} />
  );
  return (
    <Form error={error} onSubmit={() => onSave(changes)}>
      <div className={styles.columns}>
        {input('name')}
        {input('email', { type: 'email' })}
        {input('phone', { type: 'tel', hint: texts.phoneHint })}
        {input('dateOfBirth', { type: 'date' })}
        {input('locale', { hint: texts.localeHint })}
        {input('externalId')}
        <SelectField
          label={texts.role}
          pointer="/memberRoleId"
          hint={texts.roleHint}
          value={changes.memberRoleId ?? member?.memberRoleId ?? ''}
          onChange={({ target }) => change({ memberRoleId: Number(target.value) || undefined })}
        >
          {member === undefined ? <option value="">{texts.firstRole}</option> : null}
          {roles?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <TextAreaField {...text('description')} />
      <fieldset className={styles.checks}>
        <legend>{texts.mayBeSent}</legend>
        {channels.map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              checked={changes[field] ?? member?.[field] ?? true}
              onChange={({ target }) => change({ [field]: target.checked })}
            />{' '}
            {texts.notify[field]}
          </label>
        ))}
      </fieldset>
      <div className="acts">{children}</div>
    </Form>
  );
}

type TextField = 'name' | 'email' | 'phone' | 'dateOfBirth' | 'locale' | 'externalId' | 'description';
const channels = ['notifyEmail', 'notifySms', 'notifyVoice'] as const;
