import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FailedPage } from '../app/problem-pages.js';
import { answer, api } from '../kit/api.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { signInAddress } from '../kit/session.js';
import { filled, useTexts } from '../texts/texts.js';
import { accountQuery, organizationQuery, publicQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** Where an invitation is accepted, which nobody is sent: its address is told. */
export function JoinPage(): ReactNode {
  const common = useTexts();
  const texts = useOrganizationTexts();
  const { organization: uuid } = useParams({ from: '/organizations/$organization/join' });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const organization = useQuery(publicQuery(uuid));
  const account = useQuery(accountQuery);
  const join = useMutation({
    mutationFn: (org: string) =>
      answer(api.POST('/o/{org_uuid}/join', { params: { path: { org_uuid: org } }, body: {} })),
    onSuccess: async ({ organizationUuid }) => {
      await queries.invalidateQueries(organizationQuery(organizationUuid));
      await navigate({ to: '/organizations/$organization', params: { organization: organizationUuid } });
    },
  });
  const { data } = organization;
  if (data === undefined || account.data === undefined) {
    const error = organization.error ?? account.error;
    return error === null ? <p role="status">{common.loading}</p> : <FailedPage error={error} />;
  }
  const { name, sso } = data;
  const { loggedIn, email, name: ownName } = account.data;
  // Who comes in by the provider is a member.
  const after = encodeURIComponent(`/console/organizations/${data.uuid}`);
  const bySso =
    sso.startUrl === null ? null : <a href={`${sso.startUrl}?returnTo=${after}`}>{texts.joinBySso}</a>;
  return (
    <main className="plain">
      <h1>{filled(texts.joinTitle, { name })}</h1>
      <p>{texts.joinHelp}</p>
      {loggedIn ? (
        <>
          <p>{filled(texts.joinAs, { address: email ?? ownName ?? texts.nameless })}</p>
          <ErrorNotice error={join.error} />
          <p className="acts">
            <button
              type="button"
              className="primary"
              disabled={join.isPending}
              onClick={() => join.mutate(data.uuid)}
            >
              {texts.join}
            </button>
            {bySso}
          </p>
        </>
      ) : (
        <>
          <p>{common.notSignedIn}</p>
          <p className="acts">
            <a href={signInAddress()}>{common.signIn}</a>
            {bySso}
          </p>
        </>
      )}
    </main>
  );
}
