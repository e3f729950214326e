import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatWidgetTag } from '../../../api/widget/chat-widget-tag.js';

export interface HostPage {
  origin: string;
  close(): Promise<void>;
}

/**
 * A page of somebody else that shows the chat of a site, under a policy as strict as that of our own pages.
 * @param site undefined until it is known
 */
export async function serveHostPage(
  site: () => { siteUuid: string; workspaceUuid: string; publicUrl: string },
  language = 'en',
): Promise<HostPage> {
  const nonce = 'hostpagenonce';
  const server = createServer((_request, response) => {
    const { publicUrl } = site();
    const tag = chatWidgetTag({ ...site(), nonce });
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; connect-src ${publicUrl}; base-uri 'none'; require-trusted-types-for 'script'`,
    );
    response.end(
      `<!doctype html><html lang="${language}"><title>Host</title><main><h1>Host page</h1><p>Text of <a href="#x">the page</a>.</p></main>${tag.text}</html>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
