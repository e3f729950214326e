import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Choice } from '../kit/choice.js';
import { type Column, Grid } from '../kit/grid.js';
import { Page } from '../kit/page.js';
import { useWorkspace } from '../kit/workspace.js';
import { EventTypeFilter, Parts } from './parts.js';
import { pageSize, type Rule, rulesPage } from './queries.js';
import { RuleState } from './rule-state.js';
import type { RulesSearch } from './search.js';
import { useWebhookTexts } from './texts.js';

/** Which systems are told of what, and whether they take it. */
export function RulesPage(): ReactNode {
  const texts = useWebhookTexts();
  const { uuid, can } = useWorkspace();
  const params = { workspace: uuid };
  const search = useSearch({ from: '/w/$workspace/webhooks/' });
  const navigate = useNavigate({ from: '/w/$workspace/webhooks' });
  const change = (changed: RulesSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const columns: Column<Rule>[] = [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name }) => (
        <Link to="/w/$workspace/webhooks/$ruleId" params={{ ...params, ruleId: String(id) }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'eventType',
      title: texts.eventType,
      width: '13rem',
      cell: ({ eventType }) => <code>{eventType}</code>,
    },
    { id: 'address', title: texts.address, cell: ({ actionParams }) => actionParams.webhookUrl },
    { id: 'state', title: texts.state, width: '16rem', cell: (rule) => <RuleState rule={rule} /> },
  ];
  const isFiltered = search.eventType !== undefined || search.enabled !== undefined;
  return (
    <Page
      title={texts.title}
      fills
      acts={
        can('event_rules:write') ? (
          <Link className="button" to="/w/$workspace/webhooks/new" params={params}>
            {texts.newRule}
          </Link>
        ) : undefined
      }
    >
      <Parts />
      <search className="filters">
        <EventTypeFilter value={search.eventType} onChange={(eventType) => change({ eventType })} />
        <Choice
          label={texts.state}
          all={texts.allStates}
          value={search.enabled === undefined ? undefined : search.enabled ? 'yes' : 'no'}
          options={[
            ['yes', texts.enabled],
            ['no', texts.disabled],
          ]}
          onChange={(chosen) => change({ enabled: chosen === undefined ? undefined : chosen === 'yes' })}
        />
      </search>
      <Grid
        label={texts.rules}
        columns={columns}
        pageSize={pageSize}
        page={(page) => rulesPage(uuid, search, page)}
        empty={isFiltered ? texts.noRulesFound : texts.noRules}
      />
    </Page>
  );
}
