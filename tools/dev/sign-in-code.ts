import { waitUntil } from '../../runtime/wait-until.js';

/** The sign-in codes in the simulated mailbox of an address, the newest last. */
async function codesFor(mailSimulator: string, address: string): Promise<string[]> {
  const answer = await fetch(`${mailSimulator}/messages?${new URLSearchParams({ to: address })}`);
  if (!answer.ok) throw new Error(`The mail simulator answered ${answer.status}.`);
  const messages = (await answer.json()) as { subject: string }[];
  return messages.flatMap(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? []);
}

/**
 * Asks for a sign-in code and reads it from the simulated mailbox of the address. @throws if none comes
 * @param ask asks the service for the code
 */
export async function readSignInCode<T>(
  mailSimulator: string,
  address: string,
  ask: () => Promise<T>,
): Promise<{ asked: T; code: string }> {
  const before = (await codesFor(mailSimulator, address)).length;
  const asked = await ask();
  let code: string | undefined;
  const hasCome = async () => {
    const codes = await codesFor(mailSimulator, address);
    code = codes.length > before ? codes.at(-1) : undefined;
    return code !== undefined;
  };
  await waitUntil(hasCome, { withinMs: 15_000 });
  if (code === undefined) throw new Error(`No code came to ${address}.`);
  return { asked, code };
}
