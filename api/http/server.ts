import { randomUUID } from 'node:crypto';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpProblem, toProblem } from './problem.js';

const options: ServerOptions = {
  /** Enough for six filters of data records with a thousand characters of up to twelve bytes in a URL. */
  maxHeaderSize: 81_920,
  /** Longer than load balancers keep idle connections (60 s): none sends a request on a connection being closed. */
  keepAliveTimeout: 65_000,
  // Node would refuse the request without a body; `requireHost` does it with a problem.
  requireHostHeader: false,
};

/** As node's own handler of these errors sees it: with the answer in progress, if there is one. */
type AnsweringSocket = Duplex & { _httpMessage?: ServerResponse | null };

/** Creates the HTTP server. What its parser refuses before there is a request is answered as a problem, too. */
export function createHttpServer(listener?: RequestListener): Server {
  const server = createServer(options, listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
    const hasStarted = socket._httpMessage?.headersSent === true;
    // Within an answer that has begun, another one would be taken for a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || hasStarted) socket.destroy();
    else socket.end(refusalOf(error.code ?? ''));
  });
  return server;
}

/** A whole answer to a request that cannot be read. It quotes nothing of the request. */
function refusalOf(parserCode: string): string {
  const requestId = randomUUID();
  const { problem } = toProblem(problemOf(parserCode), requestId);
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

const malformed: Record<string, string> = {
  HPE_INVALID_METHOD: 'The method is not known.',
  HPE_INVALID_VERSION: 'The version of HTTP is not supported.',
  HPE_INVALID_URL: 'The address is not a URL path.',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is not a number.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'There must be one Content-Length, and none beside Transfer-Encoding.',
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding must be chunked, and not come with Content-Length.',
  HPE_INVALID_CHUNK_SIZE: 'The size of a chunk of the body is not a number.',
  HPE_INVALID_HEADER_TOKEN: 'A header has a character that it must not have.',
};

function problemOf(parserCode: string): HttpProblem {
  if (parserCode === 'HPE_HEADER_OVERFLOW') {
    return new HttpProblem(
      431,
      'headers_too_large',
      `The headers have more than ${options.maxHeaderSize} bytes.`,
    );
  }
  if (parserCode === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new HttpProblem(413, 'body_too_large', 'The chunk extensions of the body are too large.');
  }
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpProblem(408, 'request_timeout', 'The request did not arrive in time.');
  }
  const detail = malformed[parserCode] ?? 'The request is not valid HTTP.';
  return new HttpProblem(400, 'malformed_request', detail);
}
