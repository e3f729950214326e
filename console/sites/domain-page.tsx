import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schemas } from '../kit/api.js';
import { AsksFirst } from '../kit/asks-first.js';
import { ErrorNotice } from '../kit/error-notice.js';
import { Form, InputField } from '../kit/field.js';
import { Facts, Section, Status } from '../kit/page.js';
import { Read } from '../kit/read.js';
import { Ago, At } from '../kit/times.js';
import { useAct } from '../kit/use-act.js';
import { filled } from '../texts/texts.js';
import { Copied } from './copied.js';
import { domainQuery, pathOf, type SitePath, sitesChanged } from './queries.js';
import styles from './sites.module.css';
import { useSiteTexts } from './texts.js';
import { type OpenSite, WithSite } from './with-site.js';

type Domain = Schemas['SiteDomainResponse'];

/** The domain of a site, and what is to be done until it leads there. */
export function DomainPage(): ReactNode {
  return <WithSite>{(open) => <DomainOfSite key={open.site.id} open={open} />}</WithSite>;
}

function DomainOfSite({ open }: { open: OpenSite }): ReactNode {
  const { domain: texts } = useSiteTexts();
  // Without a claim there is nothing to read.
  const claimed = useQuery({ ...domainQuery(open.at), enabled: open.site.customDomain !== null });
  if (open.site.customDomain === null) {
    return (
      <Section title={texts.claim}>
        <p>{filled(texts.none, { address: open.site.defaultUrl ?? open.site.url })}</p>
        {open.mayChange ? <Claim at={open.at} /> : null}
      </Section>
    );
  }
  return (
    <Read query={claimed}>
      {(domain) => (domain === null ? null : <Claimed open={open} domain={domain} />)}
    </Read>
  );
}

function Claim({ at }: { at: SitePath }): ReactNode {
  const { domain: texts } = useSiteTexts();
  const [domain, setDomain] = useState('');
  const claim = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/sites/{site_id}/domain', {
          params: { path: pathOf(at) },
          body: { domain: domain.trim() },
        }),
      ),
    ...sitesChanged,
  );
  return (
    <div className={styles.form}>
      <Form error={claim.error} onSubmit={() => claim.mutate()}>
        <InputField
          label={texts.domain}
          pointer="/domain"
          hint={texts.domainHint}
          required
          maxLength={253}
          autoCapitalize="none"
          spellCheck={false}
          value={domain}
          onChange={({ target }) => setDomain(target.value)}
        />
        <div className="acts">
          <button type="submit" className="primary" disabled={claim.isPending}>
            {texts.claim}
          </button>
        </div>
      </Form>
    </div>
  );
}

function Claimed({ open: { at, site, mayChange }, domain }: { open: OpenSite; domain: Domain }): ReactNode {
  const { domain: texts } = useSiteTexts();
  const params = { path: pathOf(at) };
  const verify = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/sites/{site_id}/domain/verify', { params })),
    ...sitesChanged,
  );
  const failure = domain.failure === null ? null : texts.failures[domain.failure];
  return (
    <Section
      title={domain.domain}
      acts={
        domain.isMapped ? (
          <Status tone="done">{texts.mapped}</Status>
        ) : (
          <Status tone="warning">{texts.waiting}</Status>
        )
      }
    >
      {domain.isMapped ? (
        <p>{filled(texts.isMapped, { domain: domain.domain })}</p>
      ) : (
        <Steps domain={domain} site={site} />
      )}
      {domain.isMapped ? <DnsRecord domain={domain} /> : null}
      {failure === null ? null : (
        <p role="status" className={styles.warning}>
          {failure}
        </p>
      )}
      <Facts
        facts={[
          [texts.checkedAt, domain.checkedAt && <Ago key="checked" at={domain.checkedAt} />],
          [texts.provedAt, timeOf(domain.provedAt)],
          [texts.failingSince, timeOf(domain.failingSince)],
          [texts.lapsedAt, timeOf(domain.lapsedAt)],
          [texts.expiresAt, timeOf(domain.expiresAt)],
        ]}
      />
      <ErrorNotice error={verify.error} />
      {mayChange ? (
        <div className="acts">
          <button
            type="button"
            className="primary"
            disabled={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {verify.isPending ? texts.verifying : texts.verify}
          </button>
          <AsksFirst
            title={texts.release}
            help={filled(texts.releaseHelp, { domain: domain.domain })}
            tone="danger"
            changes={sitesChanged}
            act={() => answer(api.DELETE('/w/{workspace_uuid}/sites/{site_id}/domain', { params }))}
          />
        </div>
      ) : null}
    </Section>
  );
}

const timeOf = (time: string | null): ReactNode => (time === null ? null : <At at={time} withDay />);

function Steps({ domain, site }: { domain: Domain; site: OpenSite['site'] }): ReactNode {
  const { domain: texts } = useSiteTexts();
  const host = new URL(site.defaultUrl ?? site.url).host;
  return (
    <ol className={styles.stepList}>
      <li>
        {texts.addRecord}
        <DnsRecord domain={domain} />
      </li>
      <li>{filled(texts.point, { domain: domain.domain, host })}</li>
      <li>{texts.thenVerify}</li>
    </ol>
  );
}

function DnsRecord({ domain: { recordName, recordValue } }: { domain: Domain }): ReactNode {
  const { domain: texts } = useSiteTexts();
  return (
    <dl className={styles.record}>
      <dt>{texts.type}</dt>
      <dd>
        <code>TXT</code>
      </dd>
      <dt>{texts.recordName}</dt>
      <dd>
        <Copied text={recordName} name={texts.recordName} />
      </dd>
      <dt>{texts.recordValue}</dt>
      <dd>
        <Copied text={recordValue} name={texts.recordValue} />
      </dd>
    </dl>
  );
}
