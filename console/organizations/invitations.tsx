import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { CopyButton } from '../kit/copy-button.js';
import { DialogButton } from '../kit/dialog.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, InputField, SelectField } from '../kit/field.js';
import { Section } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { filled } from '../texts/texts.js';
import { useOrganization } from './organization-shell.js';
import { type Invitation, invitationsQuery, type Role } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** Invites an address, or invites it anew: the API replaces what there is. */
function useInvite() {
  const { uuid } = useOrganization();
  return useAct(
    (body: { email: string; role: Role }) =>
      answer(
        api.PUT('/organizations/{organization_uuid}/invitations', {
          params: { path: { organization_uuid: uuid } },
          body,
        }),
      ),
    ['invitations'],
  );
}

/** The addresses that may join, and where they do: nothing is sent to them. */
export function Invitations(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid } = useOrganization();
  const invitations = useQuery(invitationsQuery(uuid));
  const place = `${location.origin}/console/organizations/${uuid}/join`;
  return (
    <Section title={texts.invitations} acts={<Invite />}>
      <Read query={invitations}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="quiet">{texts.noInvitations}</p>
          ) : (
            <>
              <p>{texts.tell}</p>
              <p className="acts">
                <code dir="ltr">{place}</code>
                <CopyButton text={place} />
              </p>
              <List invitations={items} />
              {total > items.length ? <p>{filled(texts.more, { count: total - items.length })}</p> : null}
            </>
          )
        }
      </Read>
    </Section>
  );
}

function List({ invitations }: { invitations: readonly Invitation[] }): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, isOwner } = useOrganization();
  const again = useInvite();
  const withdraw = (id: number) =>
    answer(
      api.DELETE('/organizations/{organization_uuid}/invitations/{invitation_id}', {
        params: { path: { organization_uuid: uuid, invitation_id: id } },
      }),
    );
  return (
    <div className="scrolls">
      <ErrorNotice error={again.error} />
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{texts.email}</th>
            <th scope="col">{texts.role}</th>
            <th scope="col">{texts.openUntil}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ id, email, role, expiresAt }) => (
            <tr key={id}>
              <td>
                <bdi>{email}</bdi>
              </td>
              <td>{texts.roles[role]}</td>
              <td>
                <At at={expiresAt} withDay />
              </td>
              <td>
                <div className="acts">
                  {isOwner || role === 'member' ? (
                    <button
                      type="button"
                      disabled={again.isPending}
                      onClick={() => again.mutate({ email, role })}
                    >
                      {texts.inviteAgain}
                    </button>
                  ) : null}
                  <AsksFirst
                    title={texts.withdraw}
                    help={filled(texts.withdrawHelp, { email })}
                    tone="danger"
                    act={() => withdraw(id)}
                    changes={[['invitations']]}
                  />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Invite(): ReactNode {
  const texts = useOrganizationTexts();
  const { isOwner } = useOrganization();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useInvite();
  const submit = (close: () => void) =>
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: () => {
          setEmail('');
          close();
        },
      },
    );
  return (
    <DialogButton title={texts.invite}>
      {(close) => (
        <Form error={invite.error} onSubmit={() => submit(close)}>
          <p>{texts.inviteHelp}</p>
          <InputField
            label={texts.email}
            pointer="/email"
            type="email"
            autoComplete="off"
            required
            maxLength={254}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          {isOwner ? (
            <SelectField
              label={texts.role}
              pointer="/role"
              value={role}
              onChange={({ target }) => setRole(target.value as Role)}
            >
              <option value="member">{texts.roles.member}</option>
              <option value="admin">{texts.roles.admin}</option>
              <option value="owner">{texts.roles.owner}</option>
            </SelectField>
          ) : null}
          <button type="submit" className="primary" disabled={invite.isPending}>
            {texts.inviteNow}
          </button>
        </Form>
      )}
    </DialogButton>
  );
}
