import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answer, api, isGone } from '../../kit/api.js';
import { AsksFirst } from '../../kit/asks-first.js';
import { ErrorNotice } from '../../kit/error-notice.js';
import { Facts, Page, Section } from '../../kit/page.js';
import { Read } from '../../kit/read.js';
import { Ago, At } from '../../kit/times.js';
import { useAct } from '../../kit/use-act.js';
import { useWorkspace } from '../../kit/workspace.js';
import { filled } from '../../texts/texts.js';
import { UsedBy } from '../used-by.js';
import { pathOf, type Server, serverQuery, serversChanged, toolsQuery } from './queries.js';
import { ChangeServer } from './server-forms.js';
import { ServerState } from './server-state.js';
import { useMcpServerTexts } from './texts.js';
import { Tools } from './tools.js';

/** One server: whether it answers, and which of its tools agents may use. */
export function McpServerPage(): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const { serverId } = useParams({ from: '/w/$workspace/settings/mcp-servers/$serverId' });
  const server = useQuery(serverQuery(uuid, Number(serverId)));
  const above = (
    <Link to="/w/$workspace/settings/mcp-servers" params={{ workspace: uuid }}>
      {texts.title}
    </Link>
  );
  if (server.data === undefined || isGone(server.error)) {
    return (
      <Page title={texts.server} above={above}>
        {isGone(server.error) ? <p>{texts.gone}</p> : <Read query={server}>{() => null}</Read>}
      </Page>
    );
  }
  return <OneServer server={server.data} error={server.error} above={above} />;
}

interface Props {
  server: Server;
  error: Error | null;
  above: ReactNode;
}

function OneServer({ server, error, above }: Props): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const { id, name, url, hasToken, enabled, refusedAt, refreshedAt, isListCut, workflows = [] } = server;
  const tools = useQuery(toolsQuery(uuid, id));
  const params = { path: pathOf(uuid, id) };
  const refresh = useAct(
    () => answer(api.POST('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}/refresh', { params })),
    ...serversChanged,
  );
  const turn = useAct(
    () =>
      answer(
        api.PUT('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}', { params, body: { enabled: !enabled } }),
      ),
    ...serversChanged,
  );
  return (
    <Page
      title={name}
      above={above}
      acts={
        <>
          <ChangeServer key={server.updatedAt} server={server} />
          <button type="button" disabled={turn.isPending} onClick={() => turn.mutate()}>
            {enabled ? texts.turnOff : texts.turnOn}
          </button>
          <RemoveServer server={server} />
        </>
      }
    >
      <ErrorNotice error={error ?? turn.error} />
      <Facts
        facts={[
          [texts.state, <ServerState key="state" server={server} />],
          [texts.address, <bdi key="address">{url}</bdi>],
          [texts.token, hasToken ? texts.tokenSet : texts.tokenNone],
          [texts.refusedSince, refusedAt && <At key="refused" at={refusedAt} withDay />],
          [texts.listed, refreshedAt === null ? texts.never : <Ago key="listed" at={refreshedAt} />],
        ]}
      />
      <Section title={texts.usedBy}>
        <UsedBy workflows={workflows} none={texts.notUsed} />
      </Section>
      <Section
        title={texts.tools}
        acts={
          <button type="button" disabled={refresh.isPending} onClick={() => refresh.mutate()}>
            {refresh.isPending ? texts.listing : texts.list}
          </button>
        }
      >
        <ErrorNotice error={refresh.error} />
        {isListCut ? <p>{texts.cut}</p> : null}
        <Read query={tools}>
          {(all) =>
            all.length === 0 ? (
              <p className="quiet">{texts.noTools}</p>
            ) : (
              <>
                <p>{texts.toolsHelp}</p>
                <Tools serverId={id} tools={all} />
              </>
            )
          }
        </Read>
      </Section>
    </Page>
  );
}

function RemoveServer({ server: { id, name, workflows = [] } }: { server: Server }): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const navigate = useNavigate();
  const params = { path: pathOf(uuid, id) };
  return (
    <AsksFirst
      title={texts.remove}
      help={filled(texts.removeHelp, { name })}
      tone="danger"
      act={async () => {
        await answer(api.DELETE('/w/{workspace_uuid}/mcp-servers/{mcp_server_id}', { params }));
        await navigate({ to: '/w/$workspace/settings/mcp-servers', params: { workspace: uuid } });
      }}
      changes={serversChanged}
    >
      <strong>{texts.usedBy}</strong>
      <UsedBy workflows={workflows} none={texts.notUsed} />
    </AsksFirst>
  );
}
