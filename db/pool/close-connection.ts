import type pg from 'pg';

const farewellMs = 1_000;

/** The part of the driver's client that its types leave out. */
interface WithSocket {
  connection: { stream: { destroy(): void } };
}

/** Ends a connection without a word to the server: everything that is asked of it fails at once. */
export function cutConnection(client: pg.ClientBase): void {
  (client as unknown as WithSocket).connection.stream.destroy();
}

/** Ends a connection, and cuts it where the server does not answer within a second. */
export async function closeConnection(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => cutConnection(client), farewellMs);
  await client.end().catch(() => undefined);
  clearTimeout(cut);
}
