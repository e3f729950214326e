import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Read } from '../../kit/read.js';
import { Ago } from '../../kit/times.js';
import { useWorkspace } from '../../kit/workspace.js';
import { SectionPage } from '../section-page.js';
import { serversQuery } from './queries.js';
import { NewServer } from './server-forms.js';
import { ServerState } from './server-state.js';
import { useMcpServerTexts } from './texts.js';

/** The servers of others whose tools agents may use. */
export function McpServersPage(): ReactNode {
  const texts = useMcpServerTexts();
  const { uuid } = useWorkspace();
  const servers = useQuery(serversQuery(uuid));
  return (
    <SectionPage title={texts.title} acts={<NewServer />}>
      <p>{texts.what}</p>
      <Read query={servers}>
        {(all) =>
          all.length === 0 ? (
            <p className="quiet">{texts.none}</p>
          ) : (
            <div className="scrolls">
              <table className="list">
                <thead>
                  <tr>
                    <th scope="col">{texts.name}</th>
                    <th scope="col">{texts.address}</th>
                    <th scope="col">{texts.state}</th>
                    <th scope="col">{texts.listed}</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((server) => (
                    <tr key={server.id}>
                      <td>
                        <Link
                          to="/w/$workspace/settings/mcp-servers/$serverId"
                          params={{ workspace: uuid, serverId: String(server.id) }}
                        >
                          {server.name}
                        </Link>
                      </td>
                      <td>
                        <bdi>{server.url}</bdi>
                      </td>
                      <td>
                        <ServerState server={server} />
                      </td>
                      <td>{server.refreshedAt === null ? texts.never : <Ago at={server.refreshedAt} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Read>
    </SectionPage>
  );
}
