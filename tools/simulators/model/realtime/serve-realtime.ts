import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { objectWith } from '../../support/read-json.js';
import {
  HttpFailure,
  noContent,
  type Reply,
  type Route,
  type SimulatorRequest,
  type Upgrade,
} from '../../support/serve.js';
import { RealtimeKnobs } from './knobs.js';
import type { RealtimeWorld } from './responses.js';
import { RealtimeSession } from './session.js';

const maxRemembered = 500;

export interface Realtime {
  routes: readonly Route[];
  upgrade: Upgrade;
  close(): void;
}

/** The realtime API of the simulated model, and what tests ask of it. */
export function serveRealtime(shared: Omit<RealtimeWorld, 'knobs'>): Realtime {
  const knobs = new RealtimeKnobs();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 16 * 1_048_576,
    perMessageDeflate: true,
  });
  let sessions: { number: number; session: RealtimeSession; isOpen: boolean }[] = [];
  let count = 0;

  const upgrade: Upgrade = (request, socket, head) => {
    socket.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://simulator');
    const status = refusalOf(request, url, knobs.values.refuse);
    if (status !== undefined) {
      refuse(socket, status);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (request.headers['openai-beta'] !== undefined) {
        opened.close(4_000, 'beta_api_shape_disabled');
        return;
      }
      count += 1;
      const model = url.searchParams.get('model') ?? '';
      const entry = {
        number: count,
        session: new RealtimeSession(opened, model, { ...shared, knobs }),
        isOpen: true,
      };
      sessions = [...sessions, entry].slice(-maxRemembered);
      opened.once('close', () => {
        entry.isOpen = false;
      });
    });
  };

  function find(number: string | undefined): RealtimeSession {
    const found = sessions.find((one) => String(one.number) === number);
    if (found === undefined) throw new HttpFailure(404, { error: 'No such session.' });
    return found.session;
  }

  function list(): Reply {
    return {
      body: {
        count,
        open: sessions.filter(({ isOpen }) => isOpen).length,
        sessions: sessions.map(({ number, isOpen, session }) => ({
          number,
          isOpen,
          isResponding: session.isResponding,
          appendedMs: session.appendedMs,
          refusals: session.refusals,
        })),
      },
    };
  }

  function show({ params }: SimulatorRequest): Reply {
    const session = find(params.number);
    const messages = session.conversation.messages(session.instructions);
    return { body: { received: session.received, refusals: session.refusals, messages } };
  }

  function drop(request: SimulatorRequest): Reply {
    const { code, reason = '' } = objectWith(request.json(), ['code', 'reason']);
    const open = sessions.filter(({ isOpen }) => isOpen);
    for (const { session } of open) {
      if (typeof code === 'number') session.close(code, String(reason));
      else session.drop();
    }
    return { body: { dropped: open.length } };
  }

  return {
    routes: [
      ['GET', '/realtime/sessions', list],
      ['GET', '/realtime/sessions/{number}', show],
      ['POST', '/realtime/drop', drop],
      ['GET', '/realtime/knobs', () => ({ body: knobs.values })],
      ['POST', '/realtime/knobs', (request) => ({ body: knobs.turn(request.json()) })],
      ['DELETE', '/realtime/knobs', () => noContent(() => knobs.reset())],
    ],
    upgrade,
    close: () => {
      for (const client of sockets.clients) client.terminate();
    },
  };
}

function refusalOf({ headers }: IncomingMessage, url: URL, refuse: number | null): number | undefined {
  if (url.pathname !== '/v1/realtime') return 404;
  if (!/^Bearer \S+$/.test(headers.authorization ?? '')) return 401;
  if ((url.searchParams.get('model') ?? '') === '') return 400;
  return refuse ?? undefined;
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
