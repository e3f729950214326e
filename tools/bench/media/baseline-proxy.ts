import { createServer } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/*
 * The floor of calls: one process that passes on what comes from one socket to the other one, without checks, a protocol, a recording or
 * anything that it knows of a call. MODEL_URL is the address of the model.
 */

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const server = createServer((_, response) => response.end('ready'));

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (carrier) => {
    const model = new WebSocket(process.env.MODEL_URL ?? '', { perMessageDeflate: false });
    const early: [RawData, boolean][] = [];
    carrier.on('message', (data, binary) => {
      if (model.readyState === model.OPEN) model.send(data, { binary });
      else early.push([data, binary]);
    });
    model.on('open', () => {
      for (const [data, binary] of early.splice(0)) model.send(data, { binary });
    });
    model.on('message', (data, binary) => carrier.send(data, { binary }));
    for (const [one, other] of [
      [carrier, model],
      [model, carrier],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.terminate());
    }
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
