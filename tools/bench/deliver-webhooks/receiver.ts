import { createServer } from 'node:http';

/*
 * A receiver that accepts every webhook at once.
 */

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(request.method === 'POST' ? 204 : 200).end());
});
server.listen(Number(process.env.PORT), '127.0.0.1');
