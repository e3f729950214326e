import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { Facts, Section, Status } from '../kit/page.js';
import { At } from '../kit/times.js';
import { useWorkspace } from '../kit/workspace.js';
import { MemberForm } from './member-form.js';
import { MemberLabels } from './member-labels.js';
import { type Member, membersChanged } from './queries.js';
import { useMemberTexts } from './texts.js';

/** Who the person is and how it is reached; who may changes it here. */
export function Person({ member }: { member: Member }): ReactNode {
  const texts = useMemberTexts();
  const { can } = useWorkspace();
  const [isEditing, setIsEditing] = useState(false);
  const edit = (
    <button type="button" onClick={() => setIsEditing(true)}>
      {texts.edit}
    </button>
  );
  return (
    <Section title={texts.person} acts={can('members:write') && !isEditing ? edit : undefined}>
      {isEditing ? <Edit member={member} close={() => setIsEditing(false)} /> : <Identity member={member} />}
      <MemberLabels member={member} />
    </Section>
  );
}

function Identity({ member }: { member: Member }): ReactNode {
  const texts = useMemberTexts();
  return (
    <>
      <Facts
        facts={[
          [texts.email, <Addresses key="email" member={member} channel="email" />],
          [texts.phone, <Addresses key="phone" member={member} channel="phone" />],
          [texts.role, member.memberRoleName],
          [texts.dateOfBirth, member.dateOfBirth],
          [texts.locale, member.locale],
          [texts.externalId, member.externalId],
          [texts.memberSince, <At key="since" at={member.createdAt} withDay />],
          [
            texts.disabledSince,
            member.disabledAt === null ? null : <At key="disabled" at={member.disabledAt} withDay />,
          ],
        ]}
      />
      {member.description === null ? null : <p dir="auto">{member.description}</p>}
    </>
  );
}

/** The addresses of a channel, each with what is known of it. */
function Addresses({ member, channel }: { member: Member; channel: 'email' | 'phone' }): ReactNode {
  const texts = useMemberTexts();
  const only = member[channel];
  const vouched: Address[] =
    only === null
      ? []
      : [{ channel, value: only, state: 'vouched', isPending: false, bouncedAt: null, optedOutAt: null }];
  const known = member.addresses?.filter((address) => address.channel === channel) ?? vouched;
  if (known.length === 0) return '–';
  return known.map(({ value, state, isPending, bouncedAt }) => (
    <div key={value}>
      <bdi>{value}</bdi>
      <div className="quiet">{texts.addressStates[state]}</div>
      {isPending ? <Status>{texts.pending}</Status> : null}
      {bouncedAt === null ? null : (
        <Status tone="warning">
          {texts.bounced} <At at={bouncedAt} withDay />
        </Status>
      )}
    </div>
  ));
}

type Address = NonNullable<Member['addresses']>[number];

function Edit({ member, close }: { member: Member; close: () => void }): ReactNode {
  const texts = useMemberTexts();
  const { uuid } = useWorkspace();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Schemas['UpdateMemberRequest']) =>
      answer(
        api.PUT('/w/{workspace_uuid}/members/{member_id}', {
          params: { path: { workspace_uuid: uuid, member_id: member.id } },
          body,
        }),
      ),
    onSuccess: async () => {
      await membersChanged(queries, uuid);
      close();
    },
  });
  return (
    <MemberForm member={member} error={save.error} onSave={(changes) => save.mutate(changes)}>
      <button type="submit" className="primary" disabled={save.isPending}>
        {texts.save}
      </button>
      <button type="button" onClick={close}>
        {texts.cancel}
      </button>
    </MemberForm>
  );
}
