import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, type Schemas } from '../../kit/api.js';
import { ChangesForm } from '../../kit/changes-form.js';
import { InputField } from '../../kit/field.js';
import { MemberName } from '../../kit/member-picker.js';
import { Facts, Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { useWorkspace } from '../../kit/workspace.js';
import { useLocale } from '../../texts/texts.js';
import { Check } from '../checks.js';
import { numberText } from '../number-text.js';
import { SectionPage } from '../section-page.js';
import styles from '../settings.module.css';
import { useSettingsTexts } from '../texts.js';
import { budgetQuery, usersQuery } from './queries.js';

type CreditBudget = Schemas['CreditBudgetResponse'];

/** What assistants may use in a month, what they have used, and in whose chats. */
export function BudgetPage(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const budget = useQuery(budgetQuery(uuid));
  return (
    <SectionPage isForm title={texts.sections.budget.name}>
      <Read query={budget}>
        {(data) => (
          <>
            <Used budget={data} />
            <BudgetFields budget={data} />
          </>
        )}
      </Read>
      {can('members:read') ? <MostUsed /> : null}
      <p>
        <Link to="/w/$workspace/figures" params={{ workspace: uuid }}>
          {texts.moreFigures}
        </Link>
      </p>
    </SectionPage>
  );
}

function useNumber(): (value: number) => string {
  const locale = useLocale();
  return (value) => value.toLocaleString(locale, { maximumFractionDigits: 1 });
}

function Used({ budget }: { budget: CreditBudget }): ReactNode {
  const texts = useSettingsTexts();
  const locale = useLocale();
  const number = useNumber();
  const { month, monthlyCredits, creditsUsed, creditsRemaining, creditsReserved, monthEndsAt, timezone } =
    budget;
  const name = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <Section title={name.format(new Date(`${month}-01`))}>
      {monthlyCredits === null ? null : (
        <meter
          className={styles.meter}
          aria-label={texts.creditsUsed}
          max={monthlyCredits}
          high={monthlyCredits * 0.8}
          optimum={0}
          value={creditsUsed}
        />
      )}
      <Facts
        facts={[
          [texts.creditsUsed, number(creditsUsed)],
          [texts.creditsReserved, creditsReserved === 0 ? null : number(creditsReserved)],
          [texts.creditsRemaining, creditsRemaining === null ? null : number(creditsRemaining)],
          [
            texts.monthEnds,
            new Date(monthEndsAt).toLocaleDateString(locale, { dateStyle: 'long', timeZone: timezone }),
          ],
        ]}
      />
    </Section>
  );
}

function BudgetFields({ budget }: { budget: CreditBudget }): ReactNode {
  const texts = useSettingsTexts();
  const { uuid, can } = useWorkspace();
  const params = { path: { workspace_uuid: uuid } };
  return (
    <ChangesForm
      place="budget"
      stored={budget}
      mayChange={can('workspace:write')}
      read={() => answer(api.GET('/w/{workspace_uuid}/credit-budget', { params }))}
      save={(body) => answer(api.PUT('/w/{workspace_uuid}/credit-budget', { params, body }))}
      reads={[['credit-budget'], ['figures'], ['overview']]}
    >
      {(value, change) => (
        <>
          <InputField
            label={texts.monthlyCredits}
            pointer="/monthlyCredits"
            hint={texts.monthlyCreditsHint}
            type="number"
            min={1}
            max={1_000_000_000}
            step="any"
            value={numberText(value.monthlyCredits)}
            onChange={({ target }) =>
              change({ monthlyCredits: target.value === '' ? null : target.valueAsNumber })
            }
          />
          <Check
            label={texts.extraUsage}
            checked={value.extraUsageEnabled}
            onChange={(extraUsageEnabled) => change({ extraUsageEnabled })}
          />
          <p className="quiet">{texts.budgetHelp}</p>
        </>
      )}
    </ChangesForm>
  );
}

function MostUsed(): ReactNode {
  const texts = useSettingsTexts();
  const { uuid } = useWorkspace();
  const number = useNumber();
  return (
    <Section title={texts.mostUsed}>
      <Read query={useQuery(usersQuery(uuid))}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{texts.nothingUsed}</p>
          ) : (
            <table className="list">
              <thead>
                <tr>
                  <th scope="col">{texts.member}</th>
                  <th scope="col">{texts.credits}</th>
                  <th scope="col">{texts.modelCalls}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ memberId, credits, calls }) => (
                  <tr key={memberId}>
                    <td>
                      <Link
                        to="/w/$workspace/members/$memberId"
                        params={{ workspace: uuid, memberId: String(memberId) }}
                      >
                        <MemberName id={memberId} />
                      </Link>
                    </td>
                    <td>{number(credits)}</td>
                    <td>{number(calls)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Read>
    </Section>
  );
}
