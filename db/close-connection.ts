import type pg from 'pg';

const farewellMs = 1_000;

/** The part of the driver's client that its types omit. */
interface WithSocket {
  connection: { stream: { destroy(): void } };
}

/** Closes a connection without notifying the server: all its pending queries fail at once. */
export function cutConnection(client: pg.ClientBase): void {
  (client as unknown as WithSocket).connection.stream.destroy();
}

/** Ends a connection, and cuts it if the server does not answer within a second. */
export async function closeConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutConnection(client), farewellMs);
  await client.end().catch(() => undefined);
  clearTimeout(cut);
}
