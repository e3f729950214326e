import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { answer, api } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ChangesForm } from '../kit/changes-form.js';
import { CopyButton } from '../kit/copy-button.js';
import { InputField } from '../kit/field.js';
import { LinesField } from '../kit/lines-field.js';
import { Facts, Page, Section } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { SecretField } from '../kit/secret-field.js';
import { OnlyBySso } from './only-by-sso.js';
import { OthersPage, useOrganization } from './organization-shell.js';
import styles from './organizations.module.css';
import { type Provider, providerQuery } from './queries.js';
import { useOrganizationTexts } from './texts.js';

/** Signing in by the identity provider of the organization. */
export function SignInPage(): ReactNode {
  const texts = useOrganizationTexts();
  const { isOwner } = useOrganization();
  return isOwner ? <OwnersPage /> : <OthersPage title={texts.signIn} whose={texts.forOwners} />;
}

function OwnersPage(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid } = useOrganization();
  const provider = useQuery(providerQuery(uuid));
  return (
    <Page title={texts.signIn}>
      <p>{texts.ssoWhat}</p>
      <Read query={provider}>
        {(data) => (
          <>
            <ForProvider provider={data} />
            <ProviderForm provider={data} />
            {data === null ? null : <Linking />}
          </>
        )}
      </Read>
      <OnlyBySso />
    </Page>
  );
}

/** What the provider is to be told, and where people begin. */
function ForProvider({ provider }: { provider: Provider | null }): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid, slug } = useOrganization();
  const callback = provider?.callbackUrl ?? `${location.origin}/api/v2/o/${uuid}/sso/callback`;
  // The public configuration has it as well, in a copy that may be a minute old.
  const start =
    provider === null ? undefined : callback.replace(/[^/]+\/sso\/callback$/, `${slug}/sso/start`);
  return (
    <Section title={texts.forProvider}>
      <Facts
        facts={[
          [texts.callback, <Address key="callback" address={callback} />],
          [texts.start, start && <Address key="start" address={start} />],
        ]}
      />
    </Section>
  );
}

function Address({ address }: { address: string }): ReactNode {
  return (
    <span className="acts">
      <code dir="ltr">{address}</code>
      <CopyButton text={address} />
    </span>
  );
}

interface Values {
  issuer: string;
  clientId: string;
  emailDomains: readonly string[];
  /** Whether a secret is written, which is nowhere but in its field. */
  isSecretWritten: boolean;
}

const valuesOf = (provider: Provider | null): Values => ({
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  emailDomains: provider?.emailDomains ?? [],
  isSecretWritten: false,
});

/** The secret of the client may be left out while issuer and client stay the same, which the API looks at. */
function ProviderForm({ provider }: { provider: Provider | null }): ReactNode {
  const texts = useOrganizationTexts();
  const queries = useQueryClient();
  const { uuid } = useOrganization();
  const secret = useRef<HTMLInputElement>(null);
  const params = { path: { organization_uuid: uuid } };
  const read = async () => valuesOf(await queries.fetchQuery({ ...providerQuery(uuid), staleTime: 0 }));
  const save = async (changes: Partial<Values>, now: Values) => {
    // The API replaces all of it, and what a colleague has set meanwhile is to stay.
    const { isSecretWritten: _, emailDomains, ...rest } = { ...now, ...changes };
    const clientSecret = secret.current?.value ?? '';
    const body = {
      issuer: rest.issuer.trim(),
      clientId: rest.clientId.trim(),
      emailDomains: [...emailDomains],
      ...(clientSecret === '' ? {} : { clientSecret }),
    };
    await answer(api.PUT('/organizations/{organization_uuid}/sso', { params, body }));
    if (secret.current !== null) secret.current.value = '';
  };
  return (
    <Section
      title={texts.provider}
      acts={
        provider === null ? undefined : (
          <AsksFirst
            title={texts.removeProvider}
            help={texts.removeProviderHelp}
            tone="danger"
            act={() => answer(api.DELETE('/organizations/{organization_uuid}/sso', { params }))}
            changes={[['sso']]}
          />
        )
      }
    >
      <div className={styles.form}>
        <ChangesForm
          place="sso"
          stored={valuesOf(provider)}
          mayChange
          read={read}
          save={save}
          reads={[['sso']]}
        >
          {(values, change) => (
            <>
              <InputField
                label={texts.issuer}
                pointer="/issuer"
                hint={texts.issuerHint}
                type="url"
                dir="ltr"
                required
                maxLength={500}
                value={values.issuer}
                onChange={({ target }) => change({ issuer: target.value })}
              />
              <InputField
                label={texts.clientId}
                pointer="/clientId"
                autoComplete="off"
                required
                maxLength={255}
                value={values.clientId}
                onChange={({ target }) => change({ clientId: target.value })}
              />
              <SecretField
                label={texts.clientSecret}
                pointer="/clientSecret"
                hint={provider === null ? texts.secretNew : texts.secretKept}
                field={secret}
                required={provider === null}
                maxLength={500}
                onWrite={(isSecretWritten) => change({ isSecretWritten })}
              />
              <LinesField
                label={texts.emailDomains}
                pointer="/emailDomains"
                hint={texts.emailDomainsHint}
                value={values.emailDomains}
                onChange={(emailDomains) => change({ emailDomains })}
              />
            </>
          )}
        </ChangesForm>
      </div>
    </Section>
  );
}

/** Links the account of who is signed in, which then can come in by the provider. */
function Linking(): ReactNode {
  const texts = useOrganizationTexts();
  const { uuid } = useOrganization();
  return (
    <Section title={texts.linking}>
      <p>{texts.linkingWhat}</p>
      <div>
        <AsksFirst
          title={texts.link}
          help={texts.linkHelp}
          act={async () => {
            const { url } = await answer(
              api.POST('/o/{org_uuid}/sso/link', {
                params: { path: { org_uuid: uuid } },
                body: { returnTo: location.pathname },
              }),
            );
            location.assign(url);
          }}
          changes={[]}
        />
      </div>
    </Section>
  );
}
