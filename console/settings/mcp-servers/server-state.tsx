import type { ReactNode } from 'react';
import { Status } from '../../kit/page.js';
import { wordsOf } from '../../kit/words-of.js';
import type { Server } from './queries.js';
import { useMcpServerTexts } from './texts.js';

/** Whether agents can use the server, and why not. */
export function ServerState({ server }: { server: Server }): ReactNode {
  const texts = useMcpServerTexts();
  if (!server.enabled) return <Status>{texts.off}</Status>;
  if (server.refusedAt !== null) return <Status tone="danger">{texts.refused}</Status>;
  if (server.refreshFailure !== null) {
    return (
      <Status tone="warning">
        {texts.failed}: {wordsOf(server.refreshFailure, texts.failures)}
      </Status>
    );
  }
  return <Status tone="done">{texts.on}</Status>;
}
